//! Slots of a theme: meanings of colours, independent of the colours themselves.

use ratatui::style::{Modifier, Style};

use super::Theme;

/// One row per slot: its meaning, its variant, its name, and its attributes on a terminal without
/// colours. The name is used in theme files and as the method of [`Theme`].
macro_rules! slots {
    ($($(#[$meaning:meta])* $variant:ident $name:ident $plain:expr;)*) => {
        /// Meaning of a colour.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Slot { $($(#[$meaning])* $variant,)* }

        impl Slot {
            /// Every slot, in the order of the theme files.
            pub const ALL: &'static [Self] = &[$(Self::$variant,)*];

            /// Returns the slot's name in a theme file.
            pub const fn name(self) -> &'static str {
                match self { $(Self::$variant => stringify!($name),)* }
            }

            /// Returns the attributes that replace the colour on a terminal without colours.
            pub const fn plain(self) -> Modifier {
                match self { $(Self::$variant => $plain,)* }
            }
        }

        impl Theme {
            $($(#[$meaning])*
            pub fn $name(&self) -> Style { self.style(Slot::$variant) })*
        }
    };
}

slots! {
    /// Background of the screen.
    Background background Modifier::empty();
    /// Plain text.
    Text text Modifier::empty();
    /// Secondary text.
    Dim dim Modifier::DIM;
    /// An item that should attract attention.
    Accent accent Modifier::BOLD;
    /// Rules and frames.
    Border border Modifier::DIM;
    /// Item under the cursor.
    Cursor cursor Modifier::REVERSED;
    /// Selected items.
    Selection selection Modifier::UNDERLINED;
    /// Titles of columns.
    Header header Modifier::empty();
    /// A correct prediction.
    Correct correct Modifier::empty();
    /// A wrong prediction.
    Wrong wrong Modifier::BOLD;
    /// A warning to the user.
    Warning warning Modifier::BOLD;
    /// An error message.
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
    /// A reference line, for example the overall score.
    Reference reference Modifier::DIM;
}
