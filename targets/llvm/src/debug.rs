//! Where code comes from: the lines of the source, for debuggers and profilers.
//!
//! Each function that is described has a subprogram, and what is built in it carries line and
//! column of the op that it is for; what the compiler made of other code carries those of that
//! code, and what comes from nowhere line 0. There are no variables and no types, so that the
//! optimizer does what it does without lines. Functions that were inlined before LLVM saw them are
//! told by their lines, and by their file where that is another one.
//!
//! `unsafe`: as in [`crate::ir`]; the handles belong to the module.

use crate::ir::Function;
use caustic_ir::{Loc, LocKind, Name};
use inkwell::llvm_sys::LLVMModuleFlagBehavior;
use inkwell::llvm_sys::core::*;
use inkwell::llvm_sys::debuginfo::*;
use inkwell::llvm_sys::prelude::*;
use rustc_hash::FxHashMap;
use std::ffi::{c_char, c_uint};
use std::path::Path;
use std::ptr::null_mut;

/// What is written of lines.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Lines {
    /// Tables in sections of the object.
    Tables = 2,
    /// Directives in the text and nothing else: with sections CUDA's assembler would not optimize.
    Directives = 3,
}

unsafe extern "C" {
    /// With the kind of emission as a number: the enumeration of LLVM's C interface lacks
    /// [`Lines::Directives`], and the function hands the number on as it is.
    fn LLVMDIBuilderCreateCompileUnit(
        builder: LLVMDIBuilderRef,
        language: LLVMDWARFSourceLanguage,
        file: LLVMMetadataRef,
        producer: *const c_char,
        producer_len: usize,
        is_optimized: LLVMBool,
        flags: *const c_char,
        flags_len: usize,
        runtime_version: c_uint,
        split_name: *const c_char,
        split_name_len: usize,
        kind: c_uint,
        dwo_id: c_uint,
        split_inlining: LLVMBool,
        for_profiling: LLVMBool,
        sysroot: *const c_char,
        sysroot_len: usize,
        sdk: *const c_char,
        sdk_len: usize,
    ) -> LLVMMetadataRef;
}

/// A function that is described.
struct Scope {
    subprogram: LLVMMetadataRef,
    file: Name,
    /// The function's code that is from other files.
    others: FxHashMap<Name, LLVMMetadataRef>,
    /// The place that what is built next is from.
    here: LLVMMetadataRef,
}

pub struct Debug {
    context: LLVMContextRef,
    builder: LLVMDIBuilderRef,
    files: FxHashMap<Name, LLVMMetadataRef>,
    /// The file of what has no place.
    main: Name,
    scopes: FxHashMap<LLVMValueRef, Scope>,
    /// The function that is being built.
    function: LLVMValueRef,
}

impl Drop for Debug {
    fn drop(&mut self) {
        // SAFETY: made in `new`, used by nobody else.
        unsafe {
            LLVMDIBuilderFinalize(self.builder);
            LLVMDisposeDIBuilder(self.builder);
        }
    }
}

/// File, line and column.
fn place(loc: Loc) -> Option<(Name, u32, u32)> {
    match *loc.source().kind() {
        LocKind::Span { file, line, col, .. } => Some((file, line, col)),
        _ => None,
    }
}

impl Debug {
    /// For the program whose entry point is at `entry`.
    ///
    /// # Safety
    /// Both outlive this.
    pub unsafe fn new(context: LLVMContextRef, module: LLVMModuleRef, lines: Lines, entry: Loc) -> Debug {
        let main = place(entry).map_or_else(|| Name::from("unknown"), |p| p.0);
        // SAFETY: the caller's; texts and constants are copied.
        let builder = unsafe {
            let version = LLVMConstInt(LLVMInt32TypeInContext(context), LLVMDebugMetadataVersion().into(), 0);
            let (key, warn) = ("Debug Info Version", LLVMModuleFlagBehavior::LLVMModuleFlagBehaviorWarning);
            LLVMAddModuleFlag(module, warn, key.as_ptr().cast(), key.len(), LLVMValueAsMetadata(version));
            LLVMCreateDIBuilder(module)
        };
        let (files, scopes) = (FxHashMap::default(), FxHashMap::default());
        let mut debug = Debug { context, builder, files, main, scopes, function: null_mut() };
        let (file, producer, none) = (debug.file(main), "caustic", c"".as_ptr());
        let language = LLVMDWARFSourceLanguage::LLVMDWARFSourceLanguageC_plus_plus;
        // SAFETY: the texts are copied.
        unsafe {
            let text = producer.as_ptr().cast();
            let kind = lines as c_uint;
            LLVMDIBuilderCreateCompileUnit(
                builder,
                language,
                file,
                text,
                producer.len(),
                1,
                none,
                0,
                0,
                none,
                0,
                kind,
                0,
                0,
                0,
                none,
                0,
                none,
                0,
            );
        }
        debug
    }

    /// The file by its whole path, which tells tools where it is wherever they run.
    fn file(&mut self, name: Name) -> LLVMMetadataRef {
        let builder = self.builder;
        *self.files.entry(name).or_insert_with(|| {
            let text = name.to_string();
            let here = if Path::new(&text).exists() { std::env::current_dir().ok() } else { None };
            let folder = here.map_or(String::new(), |folder| folder.to_string_lossy().into_owned());
            let (file, dir) = (text.as_ptr().cast(), folder.as_ptr().cast());
            // SAFETY: the texts are copied.
            unsafe { LLVMDIBuilderCreateFile(builder, file, text.len(), dir, folder.len()) }
        })
    }

    /// The function's code is `name`'s, which is written at `loc`.
    pub fn describe(&mut self, f: Function, name: &str, loc: Loc) {
        let (file, line, _) = place(loc).unwrap_or((self.main, 0, 0));
        let described = self.file(file);
        let text = name.as_ptr().cast();
        // SAFETY: a function of the module; the texts are copied.
        unsafe {
            let ty = LLVMDIBuilderCreateSubroutineType(self.builder, described, null_mut(), 0, 0);
            let (linkage, local, definition, optimized) = (c"".as_ptr(), 1, 1, 1);
            let subprogram = LLVMDIBuilderCreateFunction(
                self.builder,
                described,
                text,
                name.len(),
                linkage,
                0,
                described,
                line,
                ty,
                local,
                definition,
                line,
                0,
                optimized,
            );
            LLVMSetSubprogram(f.value.0, subprogram);
            let here = LLVMDIBuilderCreateDebugLocation(self.context, line, 0, subprogram, null_mut());
            self.scopes.insert(f.value.0, Scope { subprogram, file, others: FxHashMap::default(), here });
        }
    }

    /// What the function that is being built gets next is from `loc`. Null, and nothing, in one
    /// that is not described.
    pub fn at(&mut self, loc: Loc) -> LLVMMetadataRef {
        let place = place(loc);
        let builder = self.builder;
        let file = place.map(|(file, ..)| self.file(file));
        let Some(scope) = self.scopes.get_mut(&self.function) else { return null_mut() };
        let (line, column, within) = match (place, file) {
            (Some((name, line, column)), Some(file)) if name != scope.file => {
                // SAFETY: both are of this module.
                let other = || unsafe { LLVMDIBuilderCreateLexicalBlockFile(builder, scope.subprogram, file, 0) };
                (line, column, *scope.others.entry(name).or_insert_with(other))
            }
            (place, _) => (place.map_or(0, |p| p.1), place.map_or(0, |p| p.2), scope.subprogram),
        };
        // SAFETY: a scope of the function that is being built.
        scope.here = unsafe { LLVMDIBuilderCreateDebugLocation(self.context, line, column, within, null_mut()) };
        scope.here
    }

    /// Where a block's function goes on, if that is another function than before; null in one that
    /// is not described.
    pub fn enter(&mut self, block: LLVMBasicBlockRef) -> Option<LLVMMetadataRef> {
        // SAFETY: a block of this module.
        let function = unsafe { LLVMGetBasicBlockParent(block) };
        if std::mem::replace(&mut self.function, function) == function {
            return None;
        }
        Some(self.scopes.get(&function).map_or(null_mut(), |scope| scope.here))
    }
}
