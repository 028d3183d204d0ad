//! What a host gives a program beside its source, as data of diagnostics.
//!
//! A library that refuses something names the [`Input`] that its host would change; how the host
//! gives it (an option of a command, a call) is the host's to say.

/// What a host gives, or chooses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Input {
    /// The contents of a buffer.
    Buffer,
    /// The contents of a uniform.
    Uniform,
    /// The contents of a texture.
    Texture,
    /// The state of a sampler.
    Sampler,
    /// The entry point.
    Entry,
    /// The name of a function.
    Function,
    /// The types of a generic entry point.
    EntryTypes,
    /// The types that a program leaves open.
    GlobalTypes,
    /// How many threads a group has.
    Threads,
    /// Two buffers of which one holds the derivatives of the other.
    Gradient,
    /// What runs the program.
    Backend,
    /// The form of the code that is asked for.
    Target,
    /// The file with functions of floats for a GPU.
    Libdevice,
    /// The report about what reverse derivatives store, which says more.
    CheckpointReport,
}
