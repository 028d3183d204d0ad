//! What every target shares when a kernel runs: contents parsed from text, memory layout, the
//! kernel's interface as its host sees it, binding by name, buffers, dispatch, traps, `printf`, and
//! output.
//!
//! It knows no op by name, no target, and does no input or output of its own: files are handed in,
//! text is handed out.

pub mod binding;
pub mod buffer;
pub mod contents;
pub mod description;
pub mod directives;
pub mod dispatch;
pub mod floats;
pub mod group;
pub mod interface;
pub mod ir_layout;
pub mod npy;
pub mod output;
pub mod print;
mod schedule;
pub mod tensor;
pub mod texture;
pub mod value;

pub use binding::{BindError, Bindings, Slot};
pub use buffer::Buffer;
pub use caustic_dialects::layout;
pub use caustic_dialects::layout::{Layout, layout_of};
pub use caustic_dialects::reflect::resource_type;
pub use contents::{Contents, Loaded};
pub use description::Description;
pub use dispatch::{Executor, Grid, Launch, ThreadId, Trap, TrapCell, Traps};
pub use floats::Floats;
pub use interface::{InterfaceError, KernelInterface, KernelParam, custom_backward_derivatives};
pub use ir_layout::{BufferView, Place, place_at};
pub use output::{Format, ReadRequest};
pub use print::{PrintArg, PrintLog, format_printf};
pub use texture::{Texture, TextureContents, parse_sampler};
