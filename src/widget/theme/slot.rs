//! The slots of a theme: what a colour means, never which colour it is.

use ratatui::style::{Modifier, Style};

use super::Theme;

/// One row per slot: its meaning, its variant, its name in a theme file (also the method of
/// [`Theme`]), and the attributes that carry it on a terminal without colours.
macro_rules! slots {
    ($($(#[$meaning:meta])* $variant:ident $name:ident $plain:expr;)*) => {
        /// What a colour means.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Slot { $($(#[$meaning])* $variant,)* }

        impl Slot {
            /// Every slot, in the order of the theme files.
            pub const ALL: &'static [Self] = &[$(Self::$variant,)*];

            /// The slot's name in a theme file.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self { $(Self::$variant => stringify!($name),)* }
            }

            /// What carries the slot without colours.
            #[must_use]
            pub const fn plain(self) -> Modifier {
                match self { $(Self::$variant => $plain,)* }
            }
        }

        impl Theme {
            $($(#[$meaning])*
            #[must_use]
            pub fn $name(&self) -> Style { self.style(Slot::$variant) })*
        }
    };
}

slots! {
    /// The screen behind everything.
    Background background Modifier::empty();
    /// Plain text.
    Text text Modifier::empty();
    /// What is secondary.
    Dim dim Modifier::DIM;
    /// The one thing that the eye should land on.
    Accent accent Modifier::BOLD;
    /// Rules and frames.
    Border border Modifier::DIM;
    /// Where the cursor is.
    Cursor cursor Modifier::REVERSED;
    /// What has been picked.
    Selection selection Modifier::UNDERLINED;
    /// Titles of columns.
    Header header Modifier::empty();
    /// A correct prediction.
    Correct correct Modifier::empty();
    /// A wrong prediction.
    Wrong wrong Modifier::BOLD;
    /// Something to know.
    Warning warning Modifier::BOLD;
    /// Something that failed.
    Error error Modifier::BOLD.union(Modifier::UNDERLINED);
    /// The first model of a comparison.
    ModelA model_a Modifier::BOLD;
    /// The second model of a comparison.
    ModelB model_b Modifier::empty();
    /// The third model of a comparison.
    ModelC model_c Modifier::DIM;
    /// The target of a sample.
    Target target Modifier::BOLD;
    /// A model's prediction.
    Prediction prediction Modifier::UNDERLINED;
    /// A line to compare with, such as the overall score.
    Reference reference Modifier::DIM;
}
