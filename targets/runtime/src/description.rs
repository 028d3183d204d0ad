//! A kernel's interface from the JSON that is written next to a compiled kernel
//! ([`KernelInterface::to_json`] and what a target adds to it).

use crate::interface::{KernelInterface, KernelParam};
use crate::layout::Layout;
use caustic_dialects::reflect::{DataType, ParamKind, Scalar};
use caustic_dialects::tex::{Shape, TextureType};
use caustic_ir::{FloatKind, Name, Type};
use serde_json::Value;

/// What a launcher knows of a kernel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Description {
    pub interface: KernelInterface,
    /// For each parameter whether the kernel takes the address of a hidden counter too.
    pub counters: Vec<bool>,
}

impl Description {
    /// The error says what is missing or malformed.
    pub fn parse(text: &str) -> Result<Description, String> {
        let json: Value = serde_json::from_str(text).map_err(|e| e.to_string())?;
        let entry = Name::new(string(&json, "entry")?);
        let sizes = |name: &str| -> Result<[u32; 3], String> {
            let sizes = list(&json, name)?;
            Ok(std::array::from_fn(|i| sizes.get(i).and_then(Value::as_u64).unwrap_or(1) as u32))
        };
        let numthreads = sizes("numthreads")?;
        let covers = sizes("covers").unwrap_or(numthreads);
        let mut params = Vec::new();
        for param in list(&json, "parameters")? {
            let name = Name::new(string(param, "name")?);
            // By which types name a resource in them; of an array of resources one for all.
            let symbol = string(param, "symbol").map_or(name, Name::new);
            let kind = string(param, "kind")?;
            let kind = ParamKind::from_name(kind).ok_or_else(|| format!("`{kind}` is no kind of parameter"))?;
            let number = |key: &str| param.get(key).and_then(Value::as_u64).ok_or_else(|| format!("no `{key}`"));
            let layout = Layout { size: number("size")?, align: number("align")? };
            let ty = data_type(param.get("type").ok_or("no `type`")?, 0)?;
            let texture =
                param.get("shape").and_then(Value::as_str).map(|shape| texture(shape, kind, &ty)).transpose()?;
            params.push(KernelParam { symbol, declared: symbol, name, kind, ty, layout, texture });
        }
        let counters =
            list(&json, "counters").map_or(Vec::new(), |c| c.iter().map(|v| v == &Value::Bool(true)).collect());
        let interface = KernelInterface { entry, numthreads, covers, params, outer: Vec::new(), shared: Vec::new() };
        Ok(Description { interface, counters })
    }
}

fn string<'a>(json: &'a Value, key: &str) -> Result<&'a str, String> {
    json.get(key).and_then(Value::as_str).ok_or_else(|| format!("no `{key}`"))
}

fn list<'a>(json: &'a Value, key: &str) -> Result<&'a Vec<Value>, String> {
    json.get(key).and_then(Value::as_array).ok_or_else(|| format!("no `{key}`"))
}

/// What sort of texture a shape such as `2d array` is.
fn texture(shape: &str, kind: ParamKind, ty: &DataType) -> Result<TextureType, String> {
    let wrong = || format!("`{shape}` is no shape of a texture");
    let (shape, array) = shape.strip_suffix(" array").map_or((shape, false), |shape| (shape, true));
    let number = |s: &Scalar| match s {
        Scalar::F16 => Type::float(FloatKind::F16),
        Scalar::F32 => Type::f32(),
        Scalar::F64 => Type::f64(),
        other => Type::int(8 * other.size() as u32),
    };
    let elem = match ty {
        DataType::Scalar(s) => number(s),
        DataType::Vector { len, elem } => Type::vector(&[*len], number(elem)),
        _ => return Err(wrong()),
    };
    let shape = Shape::from_name(shape).ok_or_else(wrong)?;
    Ok(TextureType { shape, array, writable: kind == ParamKind::RwTexture, elem })
}

fn scalar(name: &str) -> Result<Scalar, String> {
    Scalar::from_name(name).ok_or_else(|| format!("`{name}` is no scalar type"))
}

fn data_type(json: &Value, depth: usize) -> Result<DataType, String> {
    if depth > 64 {
        return Err("a type that is nested too deeply".into());
    }
    if let Some(name) = json.as_str() {
        return scalar(name).map(DataType::Scalar);
    }
    let number = |v: &Value| v.as_u64().and_then(|n| u32::try_from(n).ok()).ok_or("no length");
    if let Some(len) = json.get("vector") {
        return Ok(DataType::Vector { len: number(len)?, elem: scalar(string(json, "of")?)? });
    }
    if let Some([rows, cols]) = json.get("matrix").and_then(Value::as_array).map(Vec::as_slice) {
        let by_columns = json.get("layout").is_some_and(|l| l == "column");
        return Ok(DataType::Matrix {
            rows: number(rows)?,
            cols: number(cols)?,
            elem: scalar(string(json, "of")?)?,
            by_columns,
        });
    }
    if let Some(len) = json.get("array").and_then(Value::as_u64) {
        let elem = data_type(json.get("of").ok_or("no `of`")?, depth + 1)?;
        return Ok(DataType::Array { len, elem: Box::new(elem) });
    }
    if let Some(name) = json.get("resource").and_then(Value::as_str) {
        return Ok(DataType::Resource(Name::new(name)));
    }
    let name = Name::new(string(json, "struct")?);
    let mut fields = Vec::new();
    for field in list(json, "fields")? {
        let ty = data_type(field.get("type").ok_or("no `type`")?, depth + 1)?;
        fields.push((Name::new(string(field, "name")?), ty));
    }
    Ok(DataType::Struct { name, fields })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read() {
        let float = DataType::Scalar(Scalar::F32);
        let ty = DataType::Struct {
            name: Name::new("P"),
            fields: vec![
                (Name::new("v"), DataType::Vector { len: 3, elem: Scalar::F16 }),
                (Name::new("a"), DataType::Array { len: 4, elem: Box::new(float.clone()) }),
                (Name::new("m"), DataType::Matrix { rows: 2, cols: 3, elem: Scalar::F64, by_columns: true }),
            ],
        };
        let param = |name: &str, kind, ty: &DataType| KernelParam {
            symbol: Name::new(name),
            declared: Name::new(name),
            name: Name::new(name),
            kind,
            ty: ty.clone(),
            layout: crate::layout::layout_of(ty).unwrap(),
            texture: None,
        };
        let sort = TextureType { shape: Shape::D2, array: true, writable: false, elem: Type::f32() };
        let texture = KernelParam { texture: Some(sort), ..param("t", ParamKind::Texture, &float) };
        let element = KernelParam {
            symbol: Name::new("s.list"),
            declared: Name::new("s.list"),
            ..param("list[1]", ParamKind::Buffer, &float)
        };
        let params =
            vec![param("b", ParamKind::RwBuffer, &ty), param("u", ParamKind::Uniform, &float), texture, element];
        let interface = KernelInterface {
            entry: Name::new("main"),
            numthreads: [4, 2, 1],
            covers: [4, 8, 1],
            params,
            outer: Vec::new(),
            shared: Vec::new(),
        };
        let read = Description::parse(&interface.to_json()).unwrap();
        assert_eq!(read, Description { interface, counters: Vec::new() });
        for (text, why) in [("", "EOF"), ("{}", "no `entry`"), ("{\"entry\": \"f\"}", "no `numthreads`")] {
            assert!(Description::parse(text).unwrap_err().contains(why), "{text}");
        }
    }
}
