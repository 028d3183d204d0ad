// A truth value that a host may have written: any byte but 0 holds.
$fn inline bool is_set(const bool& truth) {
    uint8_t byte;
    std::memcpy(&byte, &truth, 1);
    return byte != 0;
}
