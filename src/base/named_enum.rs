//! Declares enums whose values have names.

/// Declares an enum from one row per value: its documentation, variant and name.
///
/// The enum gets three items: `ALL`, an array of all values in the order of declaration; `name`,
/// which returns the name of a value; and `from_name`, which finds a value by its name. They are as
/// visible as the enum.
#[macro_export]
macro_rules! named_enum {
    ($(#[$enum_meta:meta])* $vis:vis enum $enum:ident {
        $($(#[$meta:meta])* $variant:ident = $name:literal,)*
    }) => {
        $(#[$enum_meta])*
        $vis enum $enum {
            $($(#[$meta])* $variant,)*
        }

        impl $enum {
            /// All values, each once, in the order of declaration.
            $vis const ALL: [Self; [$($name),*].len()] = [$(Self::$variant),*];

            /// Returns the name of the value.
            #[must_use]
            $vis const fn name(self) -> &'static str {
                match self {
                    $(Self::$variant => $name,)*
                }
            }

            /// Returns the value with this name.
            #[must_use]
            $vis fn from_name(name: &str) -> Option<Self> {
                Self::ALL.into_iter().find(|value| value.name() == name)
            }
        }
    };
}
