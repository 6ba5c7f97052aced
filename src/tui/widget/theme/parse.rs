//! Parses theme files: TOML with one key per slot, and values like `"on #26374d bold"`.

use std::str::FromStr;

use ratatui::style::{Color, Modifier, Style};
use toml::{Table, Value};

use super::color::{BLACK, Rgb, WHITE};
use super::depth::{ColorDepth, value_of};
use super::ramp::{MAPS, Ramp};
use super::{Slot, Theme};

/// Error in a theme file.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
pub enum ThemeError {
    /// The file is not TOML.
    #[error("line {line}: {message}")]
    Toml {
        /// Line number, counted from one.
        line: usize,
        /// Message of the TOML parser.
        message: String,
    },
    /// A key is unknown.
    #[error("there is no slot `{slot}`; the nearest is `{nearest}`")]
    UnknownSlot {
        /// The key as written.
        slot: String,
        /// The slot with the most similar name.
        nearest: &'static str,
    },
    /// A slot is missing in an embedded theme, which has no parent to inherit it from.
    #[error("the slot `{0}` is missing")]
    Missing(&'static str),
    /// A value is invalid.
    #[error("{slot}: {value} is not {expected}")]
    Value {
        /// The key of the value.
        slot: String,
        /// The invalid part.
        value: String,
        /// What is expected instead.
        expected: &'static str,
    },
}

const STYLE: &str = "a colour (#rrggbb, reset, or a name such as light-blue), `on`, bold, dim, italic, underline or reverse";
const RAMP: &str = "a colour map (cividis, viridis, magma or inferno, and `reversed`) or a list of colours #rrggbb";
const TERMINAL: &str = "\"dark\" or \"light\"";
const OTHER_KEYS: [&str; 3] = ["terminal", "ranks", "differences"];

impl Theme {
    /// Parses a user's theme. Missing slots are inherited from `dark` or `light`, according to
    /// `terminal`.
    ///
    /// # Errors
    ///
    /// If the text is not TOML, or a slot or value is unknown.
    pub fn parse(name: &str, text: &str) -> Result<Self, ThemeError> {
        let table = table(text)?;
        let parent = table
            .get("terminal")
            .and_then(Value::as_str)
            .unwrap_or("dark");
        let parent = Self::named(parent).or_else(|| Self::named("dark"));
        theme(name, &table, parent.as_ref())
    }

    /// Parses a theme that must define every slot.
    pub(super) fn parse_whole(name: &str, text: &str) -> Result<Self, ThemeError> {
        theme(name, &table(text)?, None)
    }
}

/// Parses the file and checks that every key is known.
fn table(text: &str) -> Result<Table, ThemeError> {
    let table: Table = toml::from_str(text).map_err(|error| ThemeError::Toml {
        line: error.span().map_or(1, |span| {
            text.as_bytes()[..span.start]
                .split(|byte| *byte == b'\n')
                .count()
        }),
        message: error.message().to_owned(),
    })?;
    let known = || Slot::ALL.iter().map(|slot| slot.name()).chain(OTHER_KEYS);
    match table.keys().find(|key| !known().any(|name| name == *key)) {
        None => Ok(table),
        Some(slot) => Err(ThemeError::UnknownSlot {
            slot: slot.clone(),
            nearest: known()
                .min_by_key(|name| strsim::damerau_levenshtein(name, slot))
                .unwrap_or_default(),
        }),
    }
}

/// Builds a theme from a file's keys. Missing keys are inherited from `parent`.
fn theme(name: &str, table: &Table, parent: Option<&Theme>) -> Result<Theme, ThemeError> {
    let mut styles = Vec::with_capacity(Slot::ALL.len());
    for slot in Slot::ALL {
        let inherited = parent.map(|theme| theme.style(*slot));
        styles.push(entry(table, slot.name(), inherited, style)?);
    }
    let terminal = entry(table, "terminal", parent.map(|theme| theme.ground), ground)?;
    let background = styles[Slot::Background as usize].bg.and_then(value_of);
    Ok(Theme {
        name: name.to_owned(),
        depth: ColorDepth::True,
        ground: background.unwrap_or(terminal),
        ranks: entry(
            table,
            "ranks",
            parent.map(|theme| theme.ranks.clone()),
            ramp,
        )?,
        differences: entry(
            table,
            "differences",
            parent.map(|theme| theme.differences.clone()),
            ramp,
        )?,
        styles,
    })
}

/// Reads one key of the file, or inherits it.
fn entry<T>(
    table: &Table,
    key: &'static str,
    inherited: Option<T>,
    read: impl Fn(&Value) -> Result<T, (String, &'static str)>,
) -> Result<T, ThemeError> {
    match table.get(key) {
        None => inherited.ok_or(ThemeError::Missing(key)),
        Some(value) => read(value).map_err(|(value, expected)| ThemeError::Value {
            slot: key.to_owned(),
            value,
            expected,
        }),
    }
}

/// Parses a style: colours and attributes, separated by spaces.
fn style(value: &Value) -> Result<Style, (String, &'static str)> {
    let bad = |word: &str| (format!("`{word}`"), STYLE);
    let text = value.as_str().ok_or_else(|| bad(&value.to_string()))?;
    let mut style = Style::new();
    let mut words = text.split_whitespace();
    while let Some(word) = words.next() {
        style = match (modifier(word), word) {
            (Some(modifier), _) => style.add_modifier(modifier),
            (None, "on") => {
                let ground = words.next().ok_or_else(|| bad(text))?;
                style.bg(Color::from_str(ground).map_err(|_| bad(ground))?)
            }
            _ => style.fg(Color::from_str(word).map_err(|_| bad(word))?),
        };
    }
    Ok(style)
}

/// Returns the attribute with this name.
fn modifier(word: &str) -> Option<Modifier> {
    Some(match word {
        "bold" => Modifier::BOLD,
        "dim" => Modifier::DIM,
        "italic" => Modifier::ITALIC,
        "underline" => Modifier::UNDERLINED,
        "reverse" => Modifier::REVERSED,
        _ => return None,
    })
}

/// Parses the background colour for which the theme was designed.
fn ground(value: &Value) -> Result<Rgb, (String, &'static str)> {
    match value.as_str() {
        Some("dark") => Ok(BLACK),
        Some("light") => Ok(WHITE),
        _ => Err((format!("`{value}`"), TERMINAL)),
    }
}

/// Parses a colour scale: the name of a map, or a list of colours.
fn ramp(value: &Value) -> Result<Ramp, (String, &'static str)> {
    let bad = || (format!("`{value}`"), RAMP);
    if let Some(text) = value.as_str() {
        let (name, reversed) = text
            .strip_suffix(" reversed")
            .map_or((text, false), |name| (name, true));
        let map = MAPS.iter().find(|(map, _)| *map == name);
        return map
            .map(|(_, gradient)| Ramp::Map {
                gradient: *gradient,
                reversed,
            })
            .ok_or_else(bad);
    }
    let stops: Option<Vec<Rgb>> = value
        .as_array()
        .into_iter()
        .flatten()
        .map(|stop| value_of(Color::from_str(stop.as_str()?).ok()?))
        .collect();
    stops
        .filter(|stops| !stops.is_empty())
        .map(Ramp::Stops)
        .ok_or_else(bad)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error(text: &str) -> String {
        Theme::parse("mine", text).map_or_else(|error| error.to_string(), |_| "parsed".to_owned())
    }

    #[test]
    fn what_is_left_out_is_inherited() {
        let theme = Theme::parse(
            "mine",
            "terminal = 'light'\ncorrect = '#112233 bold on white'",
        )
        .expect("parses");
        let light = Theme::named("light").expect("embedded");
        assert_eq!(
            theme.correct(),
            Style::new()
                .fg(Color::Rgb(0x11, 0x22, 0x33))
                .bg(Color::White)
                .bold()
        );
        assert_eq!(theme.wrong(), light.wrong());
        assert_eq!(theme.heat(0.3), light.heat(0.3));
    }

    #[test]
    fn an_unknown_slot_names_the_nearest() {
        assert_eq!(
            error("corect = 'red'"),
            "there is no slot `corect`; the nearest is `correct`"
        );
        assert_eq!(
            error("rank = 'viridis'"),
            "there is no slot `rank`; the nearest is `ranks`"
        );
    }

    #[test]
    fn a_bad_value_says_what_would_be_right() {
        assert!(error("text = '#12'").starts_with("text: `#12` is not a colour (#rrggbb"));
        assert!(error("text = 'red on'").starts_with("text: `red on` is not a colour"));
        assert!(error("text = 3").starts_with("text: `3` is not a colour"));
        assert!(error("ranks = 'jet'").starts_with("ranks: `\"jet\"` is not a colour map"));
        assert!(error("ranks = []").contains("is not a colour map"));
        assert_eq!(
            error("terminal = 'grey'"),
            "terminal: `\"grey\"` is not \"dark\" or \"light\""
        );
    }

    #[test]
    fn broken_toml_names_the_line() {
        assert!(error("text = 'red'\ndim = ").starts_with("line 2: "));
    }

    #[test]
    fn a_whole_theme_needs_every_slot() {
        assert_eq!(
            Theme::parse_whole("x", "").err(),
            Some(ThemeError::Missing("background"))
        );
    }
}
