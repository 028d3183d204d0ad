uint2 wide_mul(uint2 a, uint2 b) {
    uint low = (a.x & 0xffffu) * (b.x & 0xffffu), middle = (a.x >> 16) * (b.x & 0xffffu) + (low >> 16);
    uint other = (a.x & 0xffffu) * (b.x >> 16) + (middle & 0xffffu);
    uint high = (a.x >> 16) * (b.x >> 16) + (middle >> 16) + (other >> 16);
    return uint2((other << 16) | (low & 0xffffu), high + a.x * b.y + a.y * b.x);
}
