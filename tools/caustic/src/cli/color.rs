//! `--color`: whether diagnostics have the colours of a terminal.

use super::options::{SourceOptions, choose};
use super::parse::Opt;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Color {
    /// On a terminal, unless the environment says otherwise.
    #[default]
    Auto,
    Always,
    Never,
}

const COLORS: [(&str, Color); 3] = [("auto", Color::Auto), ("always", Color::Always), ("never", Color::Never)];

pub(super) const fn color() -> Opt<SourceOptions> {
    Opt {
        name: "--color",
        value: "auto|always|never",
        help: "Whether diagnostics are coloured; auto, the default: on a terminal, unless NO_COLOR is set",
        set: |o, v| choose(&COLORS, v).map(|color| o.color = color),
    }
}
