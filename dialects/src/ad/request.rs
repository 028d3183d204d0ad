//! Requests for derivatives, read.

use super::Derivative;
use caustic_ir::{Name, SymbolOp};

/// Whether a symbol asks for a derivative.
pub fn is_request(symbol: &SymbolOp) -> bool {
    Derivative::of_symbol(symbol).is_some()
}

/// The function whose derivative a symbol asks for.
pub fn requested(symbol: &SymbolOp) -> Option<Name> {
    Derivative::of_symbol(symbol)?.of(symbol)
}

/// Whether a symbol asks for a forward derivative.
pub fn asks_forward(symbol: &SymbolOp) -> bool {
    Derivative::of_symbol(symbol).and_then(|d| d.mode(symbol)) == Some("fwd")
}
