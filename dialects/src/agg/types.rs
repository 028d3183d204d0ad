//! Typed views of the aggregate types, and what every aggregate is made of.

use caustic_ir::{Attr, Type, TypeKind};

/// One field of a struct type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Field {
    pub name: &'static str,
    pub ty: Type,
    /// Marked `no_diff`: it has no derivative even if its type has one.
    pub no_diff: bool,
}

/// Second parameter of the struct that a pair is laid out as. Of others it is 0 or 1, or, where the
/// programmer says what the differential is, an array: the differential type (an empty string for
/// the struct itself) and the place of each field in it (-1: none); of a differentiable pointer
/// type it is an array of the differential alone.
const PAIR: i64 = 2;

/// View of `!agg.struct`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct StructType(pub Type);

impl StructType {
    pub fn get(name: &str, differentiable: bool, fields: &[(&str, Type, bool)]) -> Type {
        Self::with_kind(name, Attr::i64(differentiable as i64), fields)
    }
    /// The struct that a differential pair is laid out as.
    pub fn pair(name: &str, primal: Type, differential: Type) -> Type {
        Self::with_kind(name, Attr::i64(PAIR), &[("p", primal, false), ("d", differential, false)])
    }
    /// A struct whose differential the programmer has chosen: `differential`, or the struct itself
    /// (`None`). A field without a place in it carries no derivative.
    pub fn with_differential(
        name: &str,
        differential: Option<Type>,
        fields: &[(&str, Type, bool)],
        places: &[Option<usize>],
    ) -> Type {
        let differential = differential.map_or(Attr::string(""), Attr::ty);
        let places: Vec<i64> = places.iter().map(|p| p.map_or(-1, |p| p as i64)).collect();
        Self::with_kind(name, Attr::array(vec![differential, Attr::i64_array(&places)]), fields)
    }
    /// A struct that stands for a place; `differential` stands for the place of its derivative
    /// (`None`: the same type).
    pub fn pointer(name: &str, differential: Option<Type>, fields: &[(&str, Type, bool)]) -> Type {
        let differential = differential.map_or(Attr::string(""), Attr::ty);
        Self::with_kind(name, Attr::array(vec![differential]), fields)
    }
    /// A struct that holds one of several types: the number of that type, one of `numbers`, and
    /// then a field for each, of which all but the one that is held are zero.
    pub fn choice(name: &str, differentiable: bool, numbers: &[i64], fields: &[(&str, Type, bool)]) -> Type {
        let number = vec![Attr::string("id"), Attr::ty(Type::i32()), Attr::i64(0), Attr::i64_array(numbers)];
        let mut params = StructType(Self::get(name, differentiable, fields)).params().to_vec();
        if let Some(place) = params.get_mut(2) {
            let held = place.as_array().unwrap_or_default();
            *place = Attr::array(std::iter::once(Attr::array(number)).chain(held.iter().copied()).collect());
        }
        Type::dialect("agg.struct", params)
    }
    /// The struct in which field `flag` says whether the other fields hold anything; if not, they
    /// are zero.
    pub fn with_presence(self, flag: usize) -> Type {
        let mut params = self.params().to_vec();
        if let (Some(place), Some(f)) = (params.get_mut(2), self.field(flag)) {
            let mut fields = place.as_array().unwrap_or_default().to_vec();
            let parts = [Attr::string(f.name), Attr::ty(f.ty), Attr::i64(f.no_diff.into()), Attr::i64(1)];
            fields[flag] = Attr::array(parts.to_vec());
            *place = Attr::array(fields);
        }
        Type::dialect("agg.struct", params)
    }
    fn with_kind(name: &str, kind: Attr, fields: &[(&str, Type, bool)]) -> Type {
        let fields = fields
            .iter()
            .map(|(n, t, no_diff)| {
                let mut parts = vec![Attr::string(n), Attr::ty(*t)];
                if *no_diff {
                    parts.push(Attr::i64(1));
                }
                Attr::array(parts)
            })
            .collect();
        Type::dialect("agg.struct", vec![Attr::string(name), kind, Attr::array(fields)])
    }
    pub fn of(ty: Type) -> Option<StructType> {
        ty.dialect_params("agg.struct").map(|_| StructType(ty))
    }
    fn params(self) -> &'static [Attr] {
        self.0.dialect_params("agg.struct").unwrap_or(&[])
    }
    pub fn name(self) -> &'static str {
        self.params().first().and_then(|a| a.as_str()).unwrap_or("")
    }
    pub fn differentiable(self) -> bool {
        self.params().get(1).is_some_and(|kind| kind.as_int() != Some(0)) && !self.is_pointer()
    }
    /// The differential that the programmer has chosen, if so.
    pub fn chosen_differential(self) -> Option<Type> {
        let [chosen, _] = self.params().get(1)?.as_array()? else { return None };
        Some(chosen.as_type().unwrap_or(self.0))
    }
    /// For a differentiable pointer type: the type of the pointer to the derivative.
    pub fn pointer_differential(self) -> Option<Type> {
        let [d] = self.params().get(1)?.as_array()? else { return None };
        Some(d.as_type().unwrap_or(self.0))
    }
    /// What is chosen about derivatives, as it stands in the type: a differential with its places,
    /// or the pointer to the derivative.
    pub fn chosen_kind(self) -> Option<Attr> {
        self.params().get(1).copied().filter(|kind| kind.as_array().is_some())
    }
    /// The struct with what another one of the kind chooses.
    pub fn with_chosen_kind(self, kind: Attr) -> Type {
        let mut params = self.params().to_vec();
        if let Some(place) = params.get_mut(1) {
            *place = kind;
        }
        Type::dialect("agg.struct", params)
    }
    pub fn is_pointer(self) -> bool {
        self.pointer_differential().is_some()
    }
    /// The place of a field in the chosen differential.
    pub fn chosen_place(self, field: usize) -> Option<usize> {
        let places = self.params().get(1)?.as_array()?.get(1)?.as_i64_array()?;
        usize::try_from(*places.get(field)?).ok()
    }
    /// Whether this is the layout of a pair, whose differential is the pair of the differentials.
    pub fn is_pair(self) -> bool {
        self.params().get(1).and_then(|a| a.as_int()) == Some(PAIR)
    }
    /// The numbers of the types that it holds one of, in the order of its fields from the second
    /// on, if it is such a struct.
    pub fn choices(self) -> Option<Vec<i64>> {
        let fields = self.params().get(2)?.as_array()?;
        fields.first()?.as_array()?.get(3)?.as_i64_array()
    }
    /// The field that says whether the others hold anything, if there is one.
    pub fn presence(self) -> Option<usize> {
        let fields = self.params().get(2)?.as_array()?;
        let marked = |field: &Attr| field.as_array().and_then(|parts| parts.get(3)?.as_int()) == Some(1);
        fields.iter().position(marked)
    }
    pub fn num_fields(self) -> usize {
        self.params().get(2).and_then(|a| a.as_array()).map_or(0, |f| f.len())
    }
    pub fn field(self, index: usize) -> Option<Field> {
        let parts = self.params().get(2)?.as_array()?.get(index)?.as_array()?;
        Some(Field {
            name: parts.first()?.as_str()?,
            ty: parts.get(1)?.as_type()?,
            no_diff: parts.get(2).and_then(|a| a.as_int()) == Some(1),
        })
    }
    pub fn fields(self) -> impl Iterator<Item = Field> {
        (0..self.num_fields()).filter_map(move |i| self.field(i))
    }
    pub fn field_index(self, name: &str) -> Option<usize> {
        self.fields().position(|f| f.name == name)
    }
}

/// `!agg.array<count, type>`
pub fn array_type(count: u64, elem: Type) -> Type {
    Type::dialect("agg.array", vec![Attr::i64(count as i64), Attr::ty(elem)])
}

/// Third parameter of an array without a size.
const UNSIZED: &str = "unsized";

/// `!agg.array<0, type, "unsized">`: what a struct in memory may end with. As a value it has no
/// elements; in memory they go on as far as the memory does.
pub fn unsized_array_type(elem: Type) -> Type {
    Type::dialect("agg.array", vec![Attr::i64(0), Attr::ty(elem), Attr::string(UNSIZED)])
}

pub fn is_unsized_array(ty: Type) -> bool {
    ty.dialect_params("agg.array").and_then(|p| p.get(2)).and_then(|a| a.as_str()) == Some(UNSIZED)
}

/// Whether what lies in memory for the type ends with an array without a size.
pub fn ends_unsized(ty: Type) -> bool {
    let last = |s: StructType| s.field(s.num_fields().checked_sub(1)?);
    is_unsized_array(ty) || StructType::of(ty).and_then(last).is_some_and(|f| ends_unsized(f.ty))
}

/// Count and element type of an array; one without a size has none.
pub fn as_array(ty: Type) -> Option<(u64, Type)> {
    let params = ty.dialect_params("agg.array")?;
    Some((params.first()?.as_int()? as u64, params.get(1)?.as_type()?))
}

/// `!agg.buffer<type, access>`
pub fn buffer_type(elem: Type, writable: bool) -> Type {
    Type::dialect("agg.buffer", vec![Attr::ty(elem), Attr::string(if writable { "rw" } else { "ro" })])
}

/// Element type and writability of a buffer.
pub fn as_buffer(ty: Type) -> Option<(Type, bool)> {
    let params = ty.dialect_params("agg.buffer")?;
    Some((params.first()?.as_type()?, params.get(1)?.as_str()? == "rw"))
}

/// `!agg.buffer<type, access, "bytes">`: the index of an element is the offset of its first byte.
pub fn byte_view_type(elem: Type, writable: bool) -> Type {
    let access = Attr::string(if writable { "rw" } else { "ro" });
    Type::dialect("agg.buffer", vec![Attr::ty(elem), access, Attr::string("bytes")])
}

/// What a pointer leads to: `!agg.buffer<type, "rw", "parts">`, a view by bytes in which a part
/// that is read or written needs its own bytes only.
pub fn pointee_type(elem: Type) -> Type {
    Type::dialect("agg.buffer", vec![Attr::ty(elem), Attr::string("rw"), Attr::string("parts")])
}

fn view_kind(ty: Type) -> Option<&'static str> {
    ty.dialect_params("agg.buffer")?.get(2)?.as_str()
}

/// Whether elements of a buffer of this type are found by the offset of their first byte.
pub fn is_byte_view(ty: Type) -> bool {
    matches!(view_kind(ty), Some("bytes" | "parts"))
}

/// Whether the bytes of a part decide if an access to it is in range, and not those of the element.
pub fn is_pointee(ty: Type) -> bool {
    view_kind(ty) == Some("parts")
}

/// The type of all scalars that values of a type are made of, if that is one type.
pub fn scalars_of(ty: Type) -> Option<Type> {
    if let Some((_, elem)) = as_array(ty) {
        return scalars_of(elem);
    }
    let parts: Vec<Type> = match (crate::ad::as_pair(ty), StructType::of(ty)) {
        (Some(primal), _) => std::iter::once(primal).chain(crate::ad::differential_type(primal)).collect(),
        (_, Some(s)) => s.fields().map(|f| f.ty).collect(),
        _ => return Some(ty.elem()),
    };
    let mut found = None;
    for part in parts {
        let scalar = scalars_of(part)?;
        if found.is_some_and(|f| f != scalar) {
            return None;
        }
        found = Some(scalar);
    }
    found
}

/// `!agg.slot<type>`
pub fn slot_type(ty: Type) -> Type {
    Type::dialect("agg.slot", vec![Attr::ty(ty)])
}

/// The type of what a slot holds.
pub fn as_slot(ty: Type) -> Option<Type> {
    ty.dialect_params("agg.slot")?.first()?.as_type()
}

/// `!ad.tape<type>`: an array that grows; here because it is an aggregate like the others.
pub fn tape_type(elem: Type) -> Type {
    Type::dialect("ad.tape", vec![Attr::ty(elem)])
}

pub fn as_tape(ty: Type) -> Option<Type> {
    ty.dialect_params("ad.tape")?.first()?.as_type()
}

/// Whether a value of this type is made of parts (vectors and matrices included).
pub fn is_aggregate(ty: Type) -> bool {
    ty.is_vector() || StructType::of(ty).is_some() || as_array(ty).is_some() || as_tape(ty).is_some()
}

/// The type of part `index`; a negative index stands for any element of a homogeneous aggregate.
pub fn part_type(ty: Type, index: i64) -> Option<Type> {
    match ty.kind() {
        TypeKind::Vector { shape, elem } => {
            let inside = index < shape.first().map_or(0, |&n| n as i64);
            inside.then(|| if shape.len() > 1 { Type::vector(&shape[1..], *elem) } else { *elem })
        }
        _ => {
            if let Some(s) = StructType::of(ty) {
                return usize::try_from(index).ok().and_then(|i| s.field(i)).map(|f| f.ty);
            }
            if let Some((count, elem)) = as_array(ty) {
                return (index < count as i64).then_some(elem);
            }
            as_tape(ty)
        }
    }
}

/// The type that `path` leads to.
pub fn type_at_path(ty: Type, path: &[i64]) -> Option<Type> {
    path.iter().try_fold(ty, |t, &step| part_type(t, step))
}

/// Number of parts that are known from the type: fields, elements, rows or components; 0 for a
/// tape.
pub fn num_parts(ty: Type) -> usize {
    if let Some(&n) = ty.shape().first() {
        return n as usize;
    }
    match (StructType::of(ty), as_array(ty)) {
        (Some(s), _) => s.num_fields(),
        (_, Some((n, _))) => n as usize,
        _ => 0,
    }
}

/// The types of the parts that an interpreter value of this aggregate holds (an empty tape has
/// none); `None` for a type that is no struct, array, tape or tangent of one.
pub fn part_types(ty: Type) -> Option<Vec<Type>> {
    if let Some(s) = StructType::of(ty) {
        return Some(s.fields().map(|f| f.ty).collect());
    }
    if let Some((n, elem)) = as_array(ty) {
        return Some(vec![elem; n as usize]);
    }
    as_tape(ty).map(|_| Vec::new())
}

/// The float type of which all scalars of a type are, if there is one.
pub fn only_float(ty: Type) -> Option<Type> {
    if ty.is_scalar() || ty.is_vector() {
        return Some(ty.elem()).filter(|elem| elem.is_float());
    }
    if let Some((_, elem)) = as_array(ty).filter(|&(count, _)| count > 0) {
        return only_float(elem);
    }
    let mut floats = StructType::of(ty)?.fields().map(|f| only_float(f.ty));
    let first = floats.next()?;
    first.filter(|_| floats.all(|other| other == first))
}

/// The zero value of a type, tangents included.
pub fn zero_value(ty: Type) -> Option<caustic_ir::eval::Val> {
    let ty = crate::ad::strip_tangent(ty);
    caustic_ir::eval::Val::zero(ty, &part_types)
}
