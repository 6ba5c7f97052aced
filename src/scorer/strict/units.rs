//! Reads units of length, and converts them to metres.

use std::sync::LazyLock;

use super::page::{Kind, Page};
use super::phrases::Phrases;

static UNITS: LazyLock<Phrases<f64>> = LazyLock::new(|| {
    Phrases::of(&[
        (
            "m|meter|meters|metre|metres|mètre|mètres|metro|metros|metri|м|метр|метра|метров|米|公尺|メートル|미터|meters'|mtr|mts",
            1.0,
        ),
        (
            "cm|centimeter|centimeters|centimetre|centimetres|zentimeter|centimètres|centímetros|centimetri|см|сантиметров|厘米|公分|センチ|センチメートル|센티미터",
            0.01,
        ),
        (
            "mm|millimeter|millimeters|millimetre|millimetres|мм|毫米",
            0.001,
        ),
        ("dm|decimeter|decimeters|decimetre|decimetres", 0.1),
        (
            "km|kilometer|kilometers|kilometre|kilometres|kilomètres|kilómetros|км|公里|キロ",
            1000.0,
        ),
        ("ft|foot|feet|'|英尺", 0.3048),
        ("in|inch|inches|\"|英寸", 0.0254),
        ("yd|yds|yard|yards", 0.9144),
        ("mi|mile|miles", 1609.344),
    ])
});

/// Returns the unit of length at a piece, in metres, and its number of pieces.
pub(super) fn at(page: &Page, at: usize) -> Option<(f64, usize)> {
    let (length, factor) = UNITS.at(page, at)?;
    // The unit is part of a speed or an area.
    if page.is_any(at + length, "/^") && page.glued(at + length) || page.lower(at + length) == "per"
    {
        return None;
    }
    match page.kind(at) {
        // A quote mark is a unit only directly after its number, and 'in' only if no word follows
        // it.
        Some(Kind::Mark(_)) if !page.glued(at) => None,
        Some(Kind::Word) if page.lower(at) == "in" && !page.glued(at) && page.is_word(at + 1) => {
            None
        }
        Some(Kind::Word)
            if page.glued(at + length) && page.kind(at + length) == Some(Kind::Number) =>
        {
            None
        }
        _ => Some((factor, length)),
    }
}

/// Returns the unit, in metres, that a question asks for: 'in centimetres', '(cm)'.
pub(super) fn requested_unit(question: &str) -> Option<f64> {
    let page = Page::of(question);
    (1..page.len()).rev().find_map(|piece| {
        let is_asked = matches!(page.lower(piece - 1), "in" | "(" | "[")
            && page.is_word(piece)
            && page.lower(piece) != "in";
        let unit = at(&page, piece).filter(|_| is_asked);
        unit.map(|(factor, _)| factor)
    })
}

/// Names of units in options; the names on one line mean the same unit.
const NAMES: [&str; 12] = [
    "kg|kilogram|kilograms|kilo|kilos",
    "g|gram|grams",
    "l|liter|liters|litre|litres",
    "ml|milliliter|milliliters|millilitre|millilitres",
    "h|hr|hrs|hour|hours",
    "min|mins|minute|minutes",
    "s|sec|second|seconds",
    "km|kilometer|kilometers|kilometre|kilometres",
    "m|meter|meters|metre|metres",
    "cm|centimeter|centimeters|centimetre|centimetres",
    "mm|millimeter|millimeters|millimetre|millimetres",
    "ft|foot|feet",
];

/// Returns true if two words name the same unit.
pub(super) fn are_same(a: &str, b: &str) -> bool {
    let names = |unit: &&str, word: &str| unit.split('|').any(|name| name == word);
    NAMES.iter().any(|unit| names(unit, a) && names(unit, b))
}
