//! What commands print with `--format json`, but for what `run` reads: one document, which any
//! reader of JSON takes. A number that JSON has none for is a text: `"NaN"`, `"Infinity"`,
//! `"-Infinity"`.

use caustic_driver::gradcheck::{DIFFERENCE_TOLERANCE, Inputs, Report, Row, Unnamed, Verdict};
use caustic_driver::{Bindings, Diagnostic, Loc, LocKind, Scalar, Severity, Value};
use caustic_ir::codes;
use caustic_runtime::output::ReadRequest;
use caustic_runtime::value::print_scalar;
use serde_json::{Map, Value as Json, json};

/// A document: diagnostics, after what else there is, and what is wrong with the command line.
pub(crate) fn document(parts: Vec<(&str, Json)>, found: Vec<Json>, refused: Option<String>) -> String {
    let mut out: Map<String, Json> = parts.into_iter().map(|(name, part)| (name.to_string(), part)).collect();
    out.insert("diagnostics".into(), found.into());
    if let Some(refused) = refused {
        out.insert("error".into(), refused.into());
    }
    format!("{}\n", Json::Object(out))
}

/// A diagnostic, and what the command line could change about it.
pub(crate) fn diagnostic(d: &Diagnostic, help: &[String]) -> Json {
    let mut out = place(d.loc);
    out.insert("severity".into(), if d.severity == Severity::Error { "error" } else { "warning" }.into());
    out.insert("code".into(), d.code.as_str().into());
    out.insert("name".into(), codes::row(&d.code).map(|row| row.name).filter(|name| !name.is_empty()).into());
    out.insert("message".into(), d.message.as_str().into());
    out.insert("label".into(), d.label.as_str().into());
    out.insert("notes".into(), d.notes.clone().into());
    out.insert("help".into(), help.to_vec().into());
    let related = d.labels.iter().map(|(loc, text)| {
        let mut related = place(*loc);
        related.insert("message".into(), text.as_str().into());
        Json::Object(related)
    });
    out.insert("related".into(), related.collect());
    Json::Object(out)
}

/// The file, the place of the first character and that of the first one after it; all null if they
/// are not known.
fn place(loc: Loc) -> Map<String, Json> {
    let (file, line, column, end) = match loc.source().kind() {
        LocKind::Span { file, line, col, end_line, end_col } => {
            (json!(file.as_str()), json!(line), json!(col), json!({"line": end_line, "column": end_col}))
        }
        _ => (Json::Null, Json::Null, Json::Null, Json::Null),
    };
    [("file", file), ("line", line), ("column", column), ("end", end)]
        .map(|(k, v)| (k.to_string(), v))
        .into_iter()
        .collect()
}

/// The rows of a gradient check.
pub(crate) fn gradients(report: &Report) -> Json {
    report.rows.iter().map(row).collect()
}

fn row(row: &Row) -> Json {
    let is_checked = row.samples > 0;
    let worst = |value: f64, is_there: bool| if is_there { number(value) } else { Json::Null };
    let mut out = json!({
        "function": row.function,
        "verdict": row.verdict.name(),
        "samples": row.samples,
        "worst": {
            "forward_reverse": worst(row.worst_dot, is_checked && !row.one_mode),
            "differences": worst(row.worst_difference, is_checked),
        },
        "tolerance": {"forward_reverse": row.dot_tolerance, "differences": DIFFERENCE_TOLERANCE},
        "detached": row.detached,
        "one_mode": row.one_mode,
        "all_zero": row.all_zero,
    });
    if row.substituted {
        out["substituted"] = true.into();
    }
    let mut put = |name: &str, value: Json| out[name] = value;
    if !row.not_compared.is_empty() {
        put("not_compared", row.not_compared.iter().map(|name| Json::from(name.as_str())).collect());
    }
    if let Some(Unnamed { function, primal, derivative, .. }) = &row.unnamed {
        put("gradient", json!({"function": function, "primal": primal, "derivative": derivative}));
    }
    match &row.verdict {
        Verdict::Passed => {}
        Verdict::Failed(failure) | Verdict::Inherited(_, failure) => {
            if let Verdict::Inherited(callee, _) = &row.verdict {
                put("callee", callee.as_str().into());
            }
            put("custom", failure.custom.into());
            put("point", inputs(&failure.point));
            put("direction", inputs(&failure.direction));
            put("mode", failure.mode.name().into());
            put("result", failure.result.into());
            put("weights", failure.weights.iter().map(|w| number(*w)).collect());
            put("expected", number(failure.expected));
            put("found", number(failure.found));
            put("value", failure.value.into());
        }
        Verdict::Singular(point) => put("point", inputs(point)),
        Verdict::Underivable(why) | Verdict::Skipped(why) => put("reason", why.as_str().into()),
    }
    out
}

fn inputs(inputs: &Inputs) -> Json {
    Json::Object(inputs.0.iter().map(|(name, v)| (name.clone(), value(v))).collect())
}

fn value(value_: &Value) -> Json {
    match value_ {
        Value::Bool(v) => (*v).into(),
        Value::Int(v) => (*v).into(),
        Value::Uint(v) => (*v).into(),
        Value::Float(v) => number(*v),
        Value::List(parts) => parts.iter().map(value).collect(),
    }
}

/// Contents of buffers by name.
pub(crate) type Values = Map<String, Json>;

/// The contents that are asked for, in their order.
pub(crate) fn values(reads: &[ReadRequest], bindings: &Bindings) -> Values {
    let read = |request: &ReadRequest| {
        let (bytes, declared) = bindings.raw(&request.name).ok()?;
        let scalar = request.scalar.unwrap_or(declared);
        Some((request.name.clone(), bytes.chunks(scalar.size()).map(|bytes| scalar_of(scalar, bytes)).collect()))
    };
    reads.iter().filter_map(read).collect()
}

/// A number as `--read` prints it; as text if JSON has none for it.
fn scalar_of(scalar: Scalar, bytes: &[u8]) -> Json {
    let mut text = String::new();
    print_scalar(scalar, bytes, &mut text);
    serde_json::from_str(&text).unwrap_or_else(|_| text.into())
}

pub(crate) fn number(v: f64) -> Json {
    match serde_json::Number::from_f64(v) {
        Some(number) => Json::Number(number),
        None if v.is_nan() => "NaN".into(),
        None => if v > 0.0 { "Infinity" } else { "-Infinity" }.into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_number_is_text() {
        let values = Value::from([1.0, f64::NAN, f64::INFINITY, f64::NEG_INFINITY]);
        assert_eq!(value(&values).to_string(), r#"[1.0,"NaN","Infinity","-Infinity"]"#);
    }

    #[test]
    fn a_diagnostic_without_a_place_has_none() {
        let d = Diagnostic::error(codes::E0011, Loc::unknown(), "a \"b\"\n").with_label_at(Loc::unknown(), "c");
        let text = document(vec![], vec![diagnostic(&d, &["d".to_string()])], Some("e".into()));
        let read: Json = serde_json::from_str(&text).unwrap();
        let found = &read["diagnostics"][0];
        assert_eq!((&found["line"], &found["message"]), (&Json::Null, &json!("a \"b\"\n")));
        assert_eq!((&found["related"][0]["message"], &found["help"]), (&json!("c"), &json!(["d"])));
        assert_eq!(read["error"], "e");
    }
}
