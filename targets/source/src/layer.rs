//! `printf` as a debug layer of Vulkan has it: a value is converted to what its directive wants, of
//! 32 bits but for large integers.

use caustic_runtime::directives::Directive;

/// What a directive wants its value as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wanted {
    Int,
    Uint,
    Long,
    Ulong,
    Float,
}

/// The directive as the layer has it, of a float or an integer, of 64 bits or fewer, and what it
/// wants that as; none of a character, which the layer has not.
pub fn directive(of: &Directive<'_>, is_float: bool, is_large: bool) -> Option<(String, Wanted)> {
    let large = is_large && !is_float;
    let (word, wanted) = match of.letter {
        'c' => return None,
        's' if is_float => ("g".to_string(), Wanted::Float),
        'd' | 'i' | 's' if large => ("ld".to_string(), Wanted::Long),
        'd' | 'i' | 's' => ("d".to_string(), Wanted::Int),
        letter @ ('u' | 'x' | 'X' | 'o') if large => (format!("l{letter}"), Wanted::Ulong),
        letter @ ('u' | 'x' | 'X' | 'o') => (letter.to_string(), Wanted::Uint),
        letter => (letter.to_ascii_lowercase().to_string(), Wanted::Float),
    };
    Some((format!("%{}{}{word}", of.flags, of.sizes), wanted))
}

#[cfg(test)]
mod tests {
    use super::*;
    use caustic_runtime::directives::{Piece, pieces};

    #[test]
    fn layers_have_directives_of_their_own() {
        let of = |format: &str, is_float, is_large| match &pieces(format).unwrap_or_default()[..] {
            [Piece::Directive(d)] => directive(d, is_float, is_large),
            _ => None,
        };
        assert_eq!(of("%5.1G", true, true), Some(("%5.1g".to_string(), Wanted::Float)));
        assert_eq!(of("%X", false, true), Some(("%lX".to_string(), Wanted::Ulong)));
        assert_eq!(of("%i", true, true), Some(("%d".to_string(), Wanted::Int)));
        assert_eq!(of("%s", false, false), Some(("%d".to_string(), Wanted::Int)));
        assert_eq!(of("%c", false, false), None);
    }
}
