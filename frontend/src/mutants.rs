//! The mutants of the front end: its functions that can give a wrong answer; see the crate
//! `caustic-mutants`.

pub(crate) use caustic_mutants::mutant;

caustic_mutants::sites! {
    EnumBits "bits/enum" "an enum has no bits where its bytes are read as another type";
    LiteralTwice "literals/rounded-twice" "a floating-point literal is rounded to `double`, and then to its type";
    LiteralSmallest "literals/smallest" "the smallest `int64_t` is positive where it is written in digits";
    InheritedDefaults "defaults/inherited" "a constructor starts without the inherited defaults if no field has one of its own";
    UnsizedArray "types/unsized-array" "an array without a size at the end of a struct has no elements";
    SizeOfNull "measure/nullptr" "`nullptr` has no size";
    PointerPart "pointers/part" "a part of what a pointer leads to exists only with all of it";
}
