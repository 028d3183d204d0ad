//! Mutants: mistakes that a build can be told to make, to measure the tests. A suite that lets one
//! through does not look where the mistake is.
//!
//! A mutant has a name and a sentence that says what goes wrong. Each crate that has mutants
//! declares them as tables of its own: sites ([`sites!`]), which are functions that give a wrong
//! answer ([`mutant`]), and whatever else it derives from its rows. With the feature `on` the
//! environment variable `CAUSTIC_MUTANT` names the one that is made. Without it the questions below
//! are constants, and no mutant exists.
//!
//! This crate knows no pass, no op and no source syntax.

pub use caustic_mutants_attribute::mutant;

/// Declares the sites of a crate: a variant, the name of the mutant, and what goes wrong.
///
/// The enum is private to its crate, so that the compiler warns of a site that no function has.
#[macro_export]
macro_rules! sites {
    ( $( $variant:ident $name:literal $doc:literal; )* ) => {
        /// A function that can go wrong.
        #[derive(Clone, Copy)]
        pub(crate) enum Site { $( $variant ),* }

        impl Site {
            pub(crate) const fn name(self) -> &'static str {
                match self { $( Site::$variant => $name ),* }
            }
        }

        /// Each site: its name, and what goes wrong there.
        pub const SITES: &[(&str, &str)] = &[ $( ($name, $doc) ),* ];
    };
}

#[cfg(feature = "on")]
mod choice {
    use std::sync::OnceLock;

    /// The name of the mutant that is made.
    pub fn chosen() -> Option<&'static str> {
        static CHOSEN: OnceLock<Option<String>> = OnceLock::new();
        CHOSEN.get_or_init(|| std::env::var("CAUSTIC_MUTANT").ok().filter(|name| !name.is_empty())).as_deref()
    }
}

#[cfg(not(feature = "on"))]
mod choice {
    #[inline(always)]
    pub const fn chosen() -> Option<&'static str> {
        None
    }
}

pub use choice::chosen;

/// Whether the mutant of this name is made.
#[inline(always)]
pub fn on(name: &str) -> bool {
    chosen() == Some(name)
}
