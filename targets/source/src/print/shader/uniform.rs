use super::super::Printer;
use crate::tree::Function;
use caustic_ir::Diagnostic;

impl Printer<'_> {
    pub(super) fn uniform_barriers(&mut self, _: &[Function]) -> Result<(), Diagnostic> {
        Ok(())
    }
}
