//! `printf` of a kernel: C's formatting, and a log that puts what the threads printed in the order
//! of the threads.
//!
//! The front end passes vectors as their scalars. What C leaves undefined has a meaning here: a
//! value is converted to what its directive wants, a directive without a value is printed as
//! written, values left over are ignored.

use crate::directives::LETTERS;
use std::fmt::Write;
use std::sync::Mutex;

/// An argument of `printf`.
#[derive(Clone, Debug, PartialEq)]
pub enum PrintArg {
    /// An integer, sign-extended to 64 bits, and its width.
    Int(i64, u32),
    Float(f64),
    Str(String),
}

impl PrintArg {
    fn as_signed(&self) -> i64 {
        match self {
            PrintArg::Int(value, _) => *value,
            PrintArg::Float(value) => *value as i64,
            PrintArg::Str(_) => 0,
        }
    }
    fn as_unsigned(&self) -> u64 {
        match self {
            PrintArg::Int(value, bits) if *bits < 64 => *value as u64 & ((1 << bits) - 1),
            PrintArg::Float(value) if *value >= 0.0 => *value as u64,
            other => other.as_signed() as u64,
        }
    }
    fn as_float(&self) -> f64 {
        match self {
            PrintArg::Int(value, _) => *value as f64,
            PrintArg::Float(value) => *value,
            PrintArg::Str(_) => 0.0,
        }
    }
}

/// A directive between `%` and its letter.
#[derive(Default)]
struct Spec {
    left: bool,
    plus: bool,
    space: bool,
    zero: bool,
    alternate: bool,
    width: usize,
    precision: Option<usize>,
}

/// Widths and precisions beyond this are cut: they come from the program and must not exhaust
/// memory.
const MAX_WIDTH: usize = 4096;

/// `format` with its directives replaced by `args`.
pub fn format_printf(format: &str, args: &[PrintArg]) -> String {
    let mut out = String::with_capacity(format.len());
    let mut args = args.iter();
    let mut rest = format;
    while let Some(at) = rest.find('%') {
        out.push_str(&rest[..at]);
        let directive = &rest[at + 1..];
        if let Some(after) = directive.strip_prefix('%') {
            out.push('%');
            rest = after;
            continue;
        }
        let (spec, letter_at) = parse_spec(directive, &mut args);
        let Some(letter) = directive[letter_at..].chars().next() else {
            out.push_str(&rest[at..]);
            return out;
        };
        let end = at + 1 + letter_at + letter.len_utf8();
        let known = LETTERS.contains(letter);
        match if known { args.next() } else { None } {
            Some(arg) => write_directive(&mut out, &spec, letter, arg),
            None => out.push_str(&rest[at..end]),
        }
        rest = &rest[end..];
    }
    out.push_str(rest);
    out
}

/// Flags, width, precision and length modifiers; the second result is where the letter stands. `*`
/// takes an argument.
fn parse_spec<'a>(text: &str, args: &mut impl Iterator<Item = &'a PrintArg>) -> (Spec, usize) {
    let bytes = text.as_bytes();
    let mut spec = Spec::default();
    let mut at = 0;
    while let Some(flag) = bytes.get(at) {
        match flag {
            b'-' => spec.left = true,
            b'+' => spec.plus = true,
            b' ' => spec.space = true,
            b'0' => spec.zero = true,
            b'#' => spec.alternate = true,
            _ => break,
        }
        at += 1;
    }
    let mut number = |at: &mut usize| -> i64 {
        if bytes.get(*at) == Some(&b'*') {
            *at += 1;
            return args.next().map_or(0, PrintArg::as_signed);
        }
        let start = *at;
        while bytes.get(*at).is_some_and(u8::is_ascii_digit) {
            *at += 1;
        }
        text[start..*at].parse().unwrap_or(if start == *at { 0 } else { i64::MAX })
    };
    let width = number(&mut at);
    spec.left |= width < 0;
    spec.width = (width.unsigned_abs() as usize).min(MAX_WIDTH);
    if bytes.get(at) == Some(&b'.') {
        at += 1;
        spec.precision = usize::try_from(number(&mut at)).ok().map(|p| p.min(MAX_WIDTH));
    }
    while bytes.get(at).is_some_and(|b| b"hlLzjtq".contains(b)) {
        at += 1;
    }
    (spec, at)
}

fn write_directive(out: &mut String, spec: &Spec, letter: char, arg: &PrintArg) {
    let (sign, body, pad_zero) = match letter {
        's' | 'c' => {
            let mut text = match arg {
                PrintArg::Str(text) => text.clone(),
                PrintArg::Int(value, _) if letter == 'c' => {
                    char::from_u32(*value as u32).unwrap_or(char::REPLACEMENT_CHARACTER).to_string()
                }
                PrintArg::Int(value, _) => value.to_string(),
                PrintArg::Float(value) => value.to_string(),
            };
            if let (Some(precision), 's') = (spec.precision, letter)
                && let Some((cut, _)) = text.char_indices().nth(precision)
            {
                text.truncate(cut);
            }
            (String::new(), text, false)
        }
        'd' | 'i' => {
            let value = arg.as_signed();
            (sign_of(spec, value < 0), digits(spec, value.unsigned_abs().to_string()), spec.precision.is_none())
        }
        'u' => (String::new(), digits(spec, arg.as_unsigned().to_string()), spec.precision.is_none()),
        'x' | 'X' | 'o' => {
            let value = arg.as_unsigned();
            let (text, prefix) = match letter {
                'x' => (format!("{value:x}"), "0x"),
                'X' => (format!("{value:X}"), "0X"),
                _ => (format!("{value:o}"), "0"),
            };
            let prefix = if spec.alternate && value != 0 { prefix } else { "" };
            (prefix.to_string(), digits(spec, text), spec.precision.is_none())
        }
        _ => {
            let value = arg.as_float();
            let text = float_body(spec, letter.to_ascii_lowercase(), value.abs());
            let text = if letter.is_ascii_uppercase() { text.to_ascii_uppercase() } else { text };
            (sign_of(spec, value.is_sign_negative() && !value.is_nan()), text, value.is_finite())
        }
    };
    let used = sign.chars().count() + body.chars().count();
    let padding = spec.width.saturating_sub(used);
    let pad = |out: &mut String, c: char| out.extend(std::iter::repeat_n(c, padding));
    if spec.left {
        out.push_str(&sign);
        out.push_str(&body);
        pad(out, ' ');
    } else if spec.zero && pad_zero {
        out.push_str(&sign);
        pad(out, '0');
        out.push_str(&body);
    } else {
        pad(out, ' ');
        out.push_str(&sign);
        out.push_str(&body);
    }
}

fn sign_of(spec: &Spec, negative: bool) -> String {
    if negative {
        "-".into()
    } else if spec.plus {
        "+".into()
    } else if spec.space {
        " ".into()
    } else {
        String::new()
    }
}

/// An integer's digits, at least as many as the precision asks for; zero with precision zero has
/// none.
fn digits(spec: &Spec, text: String) -> String {
    match spec.precision {
        Some(0) if text == "0" => String::new(),
        Some(precision) => format!("{text:0>precision$}"),
        None => text,
    }
}

/// A non-negative float in the manner of `letter`, one of `f e g`.
fn float_body(spec: &Spec, letter: char, value: f64) -> String {
    if value.is_nan() {
        return "nan".into();
    }
    if value.is_infinite() {
        return "inf".into();
    }
    let precision = spec.precision.unwrap_or(6);
    let point = if spec.alternate && precision == 0 { "." } else { "" };
    match letter {
        'f' => format!("{value:.precision$}{point}"),
        'e' => {
            let (mantissa, exponent) = scientific(value, precision);
            format!("{mantissa}{point}{}", exponent_text(exponent))
        }
        _ => {
            // C's rule: as many significant digits as the precision, in whichever form is shorter.
            let significant = precision.max(1);
            let (mantissa, exponent) = scientific(value, significant - 1);
            let (text, tail) = if exponent < -4 || exponent >= significant as i32 {
                (mantissa, exponent_text(exponent))
            } else {
                let decimals = (significant as i32 - 1 - exponent).max(0) as usize;
                (format!("{value:.decimals$}"), String::new())
            };
            let text = if spec.alternate || !text.contains('.') {
                text.as_str()
            } else {
                text.trim_end_matches('0').trim_end_matches('.')
            };
            format!("{text}{tail}")
        }
    }
}

/// Mantissa text with `decimals` decimals, and the decimal exponent after rounding.
fn scientific(value: f64, decimals: usize) -> (String, i32) {
    let text = format!("{value:.decimals$e}");
    match text.split_once('e') {
        Some((mantissa, exponent)) => (mantissa.to_string(), exponent.parse().unwrap_or(0)),
        None => (text, 0),
    }
}

fn exponent_text(exponent: i32) -> String {
    let mut out = String::new();
    let _ = write!(out, "e{}{:02}", if exponent < 0 { '-' } else { '+' }, exponent.unsigned_abs());
    out
}

/// What the threads of a dispatch print.
#[derive(Debug, Default)]
pub struct PrintLog {
    lines: Mutex<Vec<(u64, String)>>,
}

impl PrintLog {
    /// Adds what the thread at `order` printed with one call.
    pub fn print(&self, order: u64, text: String) {
        self.lines.lock().unwrap_or_else(|e| e.into_inner()).push((order, text));
    }

    /// Everything printed, by thread and then in the order of printing: exactly the texts.
    pub fn into_text(self) -> String {
        let mut lines = self.lines.into_inner().unwrap_or_else(|e| e.into_inner());
        // Stable, so that one thread's calls stay in order.
        lines.sort_by_key(|(order, _)| *order);
        let mut out = String::new();
        for (_, text) in lines {
            out.push_str(&text);
        }
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn int(value: i64) -> PrintArg {
        PrintArg::Int(value, 32)
    }
    fn float(format: &str, value: f64) -> String {
        format_printf(format, &[PrintArg::Float(value)])
    }

    #[test]
    fn integers() {
        assert_eq!(
            format_printf("%d|%5d|%-5d|%05d|%+d|% d", &[int(1), int(-2), int(3), int(-4), int(5), int(6)]),
            "1|   -2|3    |-0004|+5| 6"
        );
        assert_eq!(
            format_printf("%u %x %X %#x %o", &[int(-1), int(-1), int(255), int(255), int(8)]),
            "4294967295 ffffffff FF 0xff 10"
        );
        assert_eq!(format_printf("%.3d|%5.3d|%.0d|%05.3d", &[int(7), int(7), int(0), int(7)]), "007|  007||  007");
        assert_eq!(format_printf("%ld %lld %hu", &[int(1), int(2), int(3)]), "1 2 3");
        assert_eq!(format_printf("%*d|%-*d|", &[int(4), int(1), int(3), int(2)]), "   1|2  |");
    }

    /// Expected texts are glibc's.
    #[test]
    fn floats() {
        assert_eq!(float("%f", 1.5), "1.500000");
        assert_eq!(float("%.2f", 2.345), "2.35");
        assert_eq!(float("%.0f", 2.5), "2");
        assert_eq!(float("%e", 12345.678), "1.234568e+04");
        assert_eq!(float("%.3E", 0.00012345), "1.234E-04");
        assert_eq!(float("%g", 100000.0), "100000");
        assert_eq!(float("%g", 1000000.0), "1e+06");
        assert_eq!(float("%g", 0.0001), "0.0001");
        assert_eq!(float("%g", 0.00001), "1e-05");
        assert_eq!(float("%g", 999999.5), "1e+06");
        assert_eq!(float("%.3g", 2.34567), "2.35");
        assert_eq!(float("%#.3g", 3.0), "3.00");
        assert_eq!(float("%g", 0.0), "0");
        assert_eq!(float("%g", -0.0), "-0");
        assert_eq!(float("%8.3f|", -1.5), "  -1.500|");
        assert_eq!(float("%08.3f", -1.5), "-001.500");
        assert_eq!(float("%+.1e", f64::INFINITY), "+inf");
        assert_eq!(float("%06f", f64::NEG_INFINITY), "  -inf");
        assert_eq!(float("%G", f64::NAN), "NAN");
    }

    #[test]
    fn strings_and_oddities() {
        let s = PrintArg::Str("caustic".into());
        assert_eq!(
            format_printf("%s|%10s|%-10s|%.3s", &[s.clone(), s.clone(), s.clone(), s]),
            "caustic|   caustic|caustic   |cau"
        );
        assert_eq!(format_printf("%c%c", &[int(72), int(105)]), "Hi");
        assert_eq!(format_printf("100%% %d", &[int(1)]), "100% 1");
        assert_eq!(format_printf("%d %d", &[int(1)]), "1 %d");
        assert_eq!(format_printf("%q %", &[int(1)]), "%q %");
        assert_eq!(format_printf("no directives", &[int(1)]), "no directives");
        assert_eq!(format_printf("%f %d", &[int(2), PrintArg::Float(3.7)]), "2.000000 3");
        assert_eq!(format_printf("%99999999999999999999d", &[int(1)]).len(), MAX_WIDTH);
    }

    #[test]
    fn the_log_orders_by_thread() {
        let log = PrintLog::default();
        log.print(2, "two\n".into());
        log.print(1, "one a".into());
        log.print(2, "two again".into());
        log.print(1, "one b".into());
        assert_eq!(log.into_text(), "one aone btwo\ntwo again");
    }
}
