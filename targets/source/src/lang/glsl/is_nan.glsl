bool is_nan($T x) { return ($to(x) & ~$sign) > $inf; }
