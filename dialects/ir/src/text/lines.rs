//! From byte offsets to lines and columns, in constant time for any input.

/// Where the lines of a text start, and how many characters stand before each stretch of it.
pub struct Lines<'s> {
    text: &'s str,
    starts: Vec<usize>,
    /// Characters before byte `k * STRETCH`; empty if the text is ASCII.
    chars: Vec<usize>,
}

const STRETCH: usize = 128;

impl<'s> Lines<'s> {
    pub fn new(text: &'s str) -> Lines<'s> {
        let newlines = text.bytes().enumerate().filter(|(_, b)| *b == b'\n').map(|(i, _)| i + 1);
        let starts = std::iter::once(0).chain(newlines).collect();
        let mut chars = Vec::new();
        if !text.is_ascii() {
            let mut count = 0;
            for (i, byte) in text.bytes().enumerate() {
                if i % STRETCH == 0 {
                    chars.push(count);
                }
                count += usize::from(is_char_start(byte));
            }
        }
        Lines { text, starts, chars }
    }

    /// Line and column, from 1; a column counts characters.
    pub fn at(&self, offset: usize) -> (u32, u32) {
        let line = self.starts.partition_point(|&s| s <= offset) - 1;
        let column = self.chars_before(offset) - self.chars_before(self.starts[line]);
        (line as u32 + 1, column as u32 + 1)
    }

    /// Whether only spaces stand before `offset` on its line.
    pub fn is_first_on_line(&self, offset: usize) -> bool {
        let before = self.text.as_bytes()[..offset].iter().rev();
        before.take_while(|b| **b != b'\n').all(|b| b.is_ascii_whitespace())
    }

    fn chars_before(&self, offset: usize) -> usize {
        if self.chars.is_empty() {
            return offset;
        }
        let stretch = (offset / STRETCH).min(self.chars.len() - 1);
        let rest = &self.text.as_bytes()[stretch * STRETCH..offset];
        self.chars[stretch] + rest.iter().filter(|b| is_char_start(**b)).count()
    }
}

fn is_char_start(byte: u8) -> bool {
    byte & 0xC0 != 0x80
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_count_characters() {
        let text = format!("ab\nä{}x\n\ny", "ö".repeat(200));
        let lines = Lines::new(&text);
        assert_eq!(lines.at(0), (1, 1));
        assert_eq!(lines.at(1), (1, 2));
        assert_eq!(lines.at(text.find('x').unwrap()), (2, 202));
        assert_eq!(lines.at(text.find('y').unwrap()), (4, 1));
        assert_eq!(lines.at(text.len()), (4, 2));
        assert!(lines.is_first_on_line(3) && !lines.is_first_on_line(5));
    }
}
