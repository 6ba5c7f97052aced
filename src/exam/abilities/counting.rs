//! Counting: how many objects there are.

use super::background;
use super::canvas::LENGTH;
use super::drawn::DrawnItem;
use super::icon::Icon;
use super::palette::bright;
use crate::Rng;
use record::Target;

/// Number of counts, from one to forty.
pub const CLASSES: usize = 40;
/// Kinds of objects to count, with their plurals.
pub const KINDS: [(&str, &str); 8] = [
    ("apple", "apples"),
    ("fish", "fish"),
    ("car", "cars"),
    ("butterfly", "butterflies"),
    ("mushroom", "mushrooms"),
    ("airplane", "airplanes"),
    ("bird", "birds"),
    ("umbrella", "umbrellas"),
];

/// Draws an item with `class + 1` objects.
pub fn draw(class: usize, rng: &mut Rng) -> DrawnItem {
    let count = class + 1;
    let (name, plural) = rng.choose(&KINDS);
    let mut canvas = background::draw("studio", rng);
    let rows = rng.chance(0.5);
    let places = if rows {
        in_rows(count, rng)
    } else {
        scattered(count, rng)
    };
    let ink = bright(rng);
    let same = rng.chance(0.5);
    if let Some(icon) = Icon::named(name) {
        for (x, y, size) in places {
            let (width, height) = sides(icon.aspect(), size);
            let ink = if same { ink } else { bright(rng) };
            let corners = [
                x - width / 2.0,
                y - height / 2.0,
                x + width / 2.0,
                y + height / 2.0,
            ];
            icon.draw(&mut canvas, corners, ink);
        }
    }
    let number = f64::from(u8::try_from(count).unwrap_or(u8::MAX));
    DrawnItem::exact(
        canvas,
        format!("How many {plural} are there in the image?"),
        Target::Number(number),
    )
    .with_number("count", number)
    .with_name("object", name)
    .with_name("dataset", if rows { "rows" } else { "scattered" })
}

/// Width and height of an object with this aspect ratio, whose longer side is `size`.
pub fn sides(aspect: f64, size: f64) -> (f64, f64) {
    (size * aspect.min(1.0), size * (1.0 / aspect).min(1.0))
}

/// Centres and sizes of objects that do not overlap, by rejection sampling.
fn scattered(count: usize, rng: &mut Rng) -> Vec<(f64, f64, f64)> {
    let most = if count > 20 { 27.0 } else { 38.0 };
    let mut places: Vec<(f64, f64, f64)> = Vec::new();
    let mut shrink = 1.0;
    while places.len() < count {
        let size = rng.between(20.0, most) * shrink;
        let margin = size / 2.0 + 2.0;
        let x = rng.between(margin, LENGTH - margin);
        let y = rng.between(margin, LENGTH - margin);
        let free = |&(other_x, other_y, other): &(f64, f64, f64)| {
            let apart = f64::midpoint(size, other) + 2.0;
            (x - other_x).abs() > apart || (y - other_y).abs() > apart
        };
        if places.iter().all(free) {
            places.push((x, y, size));
        } else {
            shrink = (shrink * 0.999_f64).max(0.6);
        }
    }
    places
}

/// Cells of a grid, some left empty.
fn in_rows(count: usize, rng: &mut Rng) -> Vec<(f64, f64, f64)> {
    let columns = 4 + rng.below(4);
    let least = count.div_ceil(columns).max(3);
    let rows = least + rng.below(2).min(8_usize.saturating_sub(least));
    let mut cells: Vec<usize> = (0..columns * rows).collect();
    rng.shuffle(&mut cells);
    let step = |cells: usize| LENGTH / f64::from(u32::try_from(cells).unwrap_or(1));
    let (across, down) = (step(columns), step(rows));
    let size = across.min(down).min(44.0) * 0.8;
    let place = |number: usize| f64::from(u32::try_from(number).unwrap_or(0)) + 0.5;
    let cells = cells.into_iter().take(count);
    cells
        .map(|cell| {
            (
                place(cell % columns) * across,
                place(cell / columns) * down,
                size,
            )
        })
        .collect()
}
