//! Values in COCO files, which programs write in different types. Ids are integers, floats or text;
//! numbers can be text.

use std::fmt;

use serde::de::{Deserialize, DeserializeOwned, Deserializer, Error, Unexpected, Visitor};

use crate::json;

/// Parses a row that starts on `line`. Bare `NaN` and infinities become null.
pub fn parse_row<T: DeserializeOwned>(text: &[u8], line: u64) -> Result<T, String> {
    let row = serde_json::from_slice(&json::without_nan(text));
    row.map_err(|error| json::describe(&error, line))
}

/// Id of a picture, category or annotation. As in Python, 7.0 equals 7, but `"7"` does not.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Id {
    /// An integer, in any notation.
    Number(i64),
    /// A text, or a number with a fraction.
    Text(String),
}

impl Id {
    /// Returns the same id in the other type: 7 for `"7"`, `"7"` for 7. `None` if there is no such
    /// id.
    pub fn counterpart(&self) -> Option<Self> {
        match self {
            Self::Number(number) => Some(Self::Text(number.to_string())),
            Self::Text(_) => self.integer().map(Self::Number),
        }
    }

    /// Returns the id as an integer, even if it is written as text.
    pub fn integer(&self) -> Option<i64> {
        match self {
            Self::Number(number) => Some(*number),
            Self::Text(text) => text.trim().parse().ok(),
        }
    }

    fn of_float(value: f64) -> Self {
        const BEYOND: f64 = 9_223_372_036_854_775_808.0;
        #[expect(
            clippy::cast_possible_truncation,
            reason = "an integer within the range of the type"
        )]
        if value.fract() == 0.0 && value.abs() < BEYOND {
            Self::Number(value as i64)
        } else {
            Self::Text(value.to_string())
        }
    }
}

impl fmt::Display for Id {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Number(number) => write!(f, "{number}"),
            Self::Text(text) => f.write_str(text),
        }
    }
}

impl<'de> Deserialize<'de> for Id {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct Ids;
        impl Visitor<'_> for Ids {
            type Value = Id;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an id: a number or a string")
            }

            fn visit_i64<E: Error>(self, value: i64) -> Result<Id, E> {
                Ok(Id::Number(value))
            }

            fn visit_u64<E: Error>(self, value: u64) -> Result<Id, E> {
                Ok(i64::try_from(value).map_or_else(|_| Id::Text(value.to_string()), Id::Number))
            }

            fn visit_f64<E: Error>(self, value: f64) -> Result<Id, E> {
                Ok(Id::of_float(value))
            }

            fn visit_str<E: Error>(self, value: &str) -> Result<Id, E> {
                Ok(Id::Text(value.to_owned()))
            }
        }
        from.deserialize_any(Ids)
    }
}

/// A finite number, possibly written as text.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Number(pub f64);

impl<'de> Deserialize<'de> for Number {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct Numbers;
        impl Visitor<'_> for Numbers {
            type Value = Number;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a finite number")
            }

            #[expect(clippy::cast_precision_loss, reason = "coordinates are far smaller")]
            fn visit_i64<E: Error>(self, value: i64) -> Result<Number, E> {
                Ok(Number(value as f64))
            }

            #[expect(clippy::cast_precision_loss, reason = "coordinates are far smaller")]
            fn visit_u64<E: Error>(self, value: u64) -> Result<Number, E> {
                Ok(Number(value as f64))
            }

            fn visit_f64<E: Error>(self, value: f64) -> Result<Number, E> {
                Ok(Number(value))
            }

            fn visit_str<E: Error>(self, value: &str) -> Result<Number, E> {
                let number = value.trim().parse().ok();
                let number = number.filter(|number: &f64| number.is_finite());
                let wrong = || E::invalid_value(Unexpected::Str(value), &self);
                number.map(Number).ok_or_else(wrong)
            }
        }
        from.deserialize_any(Numbers)
    }
}

/// A boolean, possibly written as a number (0 is false), as text, or as null (false).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Flag(pub bool);

impl<'de> Deserialize<'de> for Flag {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct Flags;
        impl Visitor<'_> for Flags {
            type Value = Flag;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("0 or 1")
            }

            fn visit_unit<E: Error>(self) -> Result<Flag, E> {
                Ok(Flag(false))
            }

            fn visit_bool<E: Error>(self, value: bool) -> Result<Flag, E> {
                Ok(Flag(value))
            }

            fn visit_i64<E: Error>(self, value: i64) -> Result<Flag, E> {
                Ok(Flag(value != 0))
            }

            fn visit_u64<E: Error>(self, value: u64) -> Result<Flag, E> {
                Ok(Flag(value != 0))
            }

            fn visit_f64<E: Error>(self, value: f64) -> Result<Flag, E> {
                Ok(Flag(value != 0.0))
            }

            fn visit_str<E: Error>(self, value: &str) -> Result<Flag, E> {
                match value.trim().to_lowercase().as_str() {
                    "" | "0" | "0.0" | "false" => Ok(Flag(false)),
                    "1" | "1.0" | "true" => Ok(Flag(true)),
                    _ => Err(E::invalid_value(Unexpected::Str(value), &self)),
                }
            }
        }
        from.deserialize_any(Flags)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse<T: for<'a> Deserialize<'a>>(text: &str) -> Option<T> {
        serde_json::from_str(text).ok()
    }

    #[test]
    fn ids_are_equal_as_in_python() {
        assert_eq!(parse("7.0"), Some(Id::Number(7)));
        assert_eq!(parse("7"), Some(Id::Number(7)));
        assert_eq!(parse("-0.0"), Some(Id::Number(0)));
        assert_eq!(parse("\"7\""), Some(Id::Text("7".to_owned())));
        assert_eq!(parse("7.5"), Some(Id::Text("7.5".to_owned())));
        assert_eq!(parse("1e300"), Some(Id::of_float(1e300)));
        assert!(matches!(parse("18446744073709551615"), Some(Id::Text(_))));
        assert_eq!(parse::<Id>("null"), None);
        assert_eq!(parse::<Id>("[7]"), None);
    }

    #[test]
    fn an_id_of_the_other_type_reads_the_same() {
        let text = |text: &str| Id::Text(text.to_owned());
        assert_eq!(text("7").counterpart(), Some(Id::Number(7)));
        assert_eq!(text("000139").counterpart(), Some(Id::Number(139)));
        assert_eq!(text("cam_001").counterpart(), None);
        assert_eq!(Id::Number(7).counterpart(), Some(text("7")));
    }

    #[test]
    fn numbers_and_flags_may_be_texts() {
        assert_eq!(parse("\" 12.5\""), Some(Number(12.5)));
        assert_eq!(parse("-3"), Some(Number(-3.0)));
        for wrong in ["\"nan\"", "\"inf\"", "null", "\"a\"", "true"] {
            assert_eq!(parse::<Number>(wrong), None, "{wrong}");
        }
        for (text, is_set) in [
            ("true", true),
            ("null", false),
            ("\"0\"", false),
            ("\"1\"", true),
            ("1.0", true),
            ("0", false),
            ("\"False\"", false),
        ] {
            assert_eq!(parse(text), Some(Flag(is_set)), "{text}");
        }
        assert_eq!(parse::<Flag>("\"many\""), None);
    }
}
