//! x
use crate::scan;
use crate::source::{SourceLoader, SourceMap, Span};
use caustic_ir::{Diagnostic, Loc};

pub struct Unit { pub text: String, pub base: u32, pub diagnostics: Vec<Diagnostic> }

pub fn preprocess(loader: &mut dyn SourceLoader, main: &str, _defines: &[(String, Option<String>)], map: &mut SourceMap) -> Result<Unit, Vec<Diagnostic>> {
    let text = loader.load(main).map_err(|e| vec![Diagnostic::error("E0110", Loc::unknown(), e)])?;
    let text: std::sync::Arc<str> = text.into();
    let file = map.add_file(main, text.clone());
    let base = map.add_verbatim(file, 0, text.len());
    match scan::blank_comments(&text) {
        Ok(text) => Ok(Unit { text, base, diagnostics: vec![] }),
        Err(e) => Err(vec![Diagnostic::error("E0103", map.loc(Span::new(base, base)), format!("{e:?}"))]),
    }
}
