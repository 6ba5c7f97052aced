//! Draws scenes seen from the air.

use crate::Rng;
use crate::abilities::canvas::{Canvas, Ink, LENGTH, mixed};
use crate::abilities::palette::bright;

/// Direction in which a car points.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Heading {
    Up,
    Sideways,
}

/// Draws a car from above.
fn car(canvas: &mut Canvas, (x, y): (f64, f64), heading: Heading, ink: Ink) {
    let part = |canvas: &mut Canvas, long: (f64, f64), wide: f64, ink: Ink| {
        let corners = if heading == Heading::Sideways {
            [x + long.0, y - wide, x + long.1, y + wide]
        } else {
            [x - wide, y + long.0, x + wide, y + long.1]
        };
        canvas.rect(corners, ink);
    };
    part(canvas, (-11.0, 11.0), 5.5, ink);
    part(canvas, (-6.0, -2.5), 4.5, [40, 50, 60]);
    part(canvas, (5.0, 8.0), 4.5, [40, 50, 60]);
}

/// Draws a hip roof, seen from above.
pub fn roof(canvas: &mut Canvas, [x0, y0, x1, y1]: [f64; 4], ink: Ink) {
    let inset = (x1 - x0).min(y1 - y0) / 2.0;
    let (left, right) = (
        (x0 + inset, f64::midpoint(y0, y1)),
        (x1 - inset, f64::midpoint(y0, y1)),
    );
    canvas.polygon(
        &[(x0, y0), (x1, y0), right, left],
        mixed(ink, [255; 3], 0.25),
    );
    canvas.polygon(&[(x0, y1), (x1, y1), right, left], mixed(ink, [0; 3], 0.2));
    canvas.polygon(&[(x0, y0), (x0, y1), left], ink);
    canvas.polygon(&[(x1, y0), (x1, y1), right], mixed(ink, [0; 3], 0.1));
}

/// Draws a tree crown, seen from above.
pub fn crown(canvas: &mut Canvas, at: (f64, f64), radius: f64) {
    canvas.disc((at.0 + 2.0, at.1 + 2.0), radius, [60, 85, 50]);
    canvas.disc(at, radius, [70, 125, 65]);
    canvas.disc(
        (at.0 - radius * 0.25, at.1 - radius * 0.25),
        radius * 0.55,
        [95, 150, 85],
    );
}

pub fn farmland(rng: &mut Rng) -> Canvas {
    let mut canvas = Canvas::new([150, 130, 90]);
    let fields: [Ink; 6] = [
        [165, 190, 95],
        [200, 185, 105],
        [120, 160, 80],
        [175, 145, 95],
        [215, 200, 130],
        [100, 140, 75],
    ];
    let columns = [
        0.0,
        rng.between(60.0, 100.0),
        rng.between(150.0, 190.0),
        LENGTH,
    ];
    for pair in columns.windows(2) {
        let rows = [
            0.0,
            rng.between(50.0, 110.0),
            rng.between(140.0, 200.0),
            LENGTH,
        ];
        for ends in rows.windows(2) {
            let ([x0, x1], [y0, y1]) = (pair, ends) else {
                continue;
            };
            let ink = rng.choose(&fields);
            canvas.rect([x0 + 2.0, y0 + 2.0, x1 - 2.0, y1 - 2.0], ink);
            let (down, mut at) = (rng.chance(0.5), 7.0);
            let dark = mixed(ink, [0; 3], 0.16);
            while at < if down { x1 - x0 } else { y1 - y0 } - 5.0 {
                if down {
                    canvas.rect([x0 + at, y0 + 3.0, x0 + at + 2.0, y1 - 3.0], dark);
                } else {
                    canvas.rect([x0 + 3.0, y0 + at, x1 - 3.0, y0 + at + 2.0], dark);
                }
                at += 7.0;
            }
        }
    }
    canvas
}

pub fn river(rng: &mut Rng) -> Canvas {
    let mut canvas = Canvas::new([125, 160, 95]);
    for _ in 0..40 {
        let at = (rng.between(0.0, LENGTH), rng.between(0.0, LENGTH));
        crown(&mut canvas, at, rng.between(5.0, 10.0));
    }
    let (start, swing, phase) = (
        rng.between(70.0, 180.0),
        rng.between(25.0, 55.0),
        rng.between(0.0, 6.0),
    );
    let lean = rng.between(-0.4, 0.4);
    let points: Vec<(f64, f64)> = (-1..18_i8)
        .map(|at| {
            let y = f64::from(at) * 16.0;
            (
                start + lean * (y - 128.0) + swing * (phase + y / 45.0).sin(),
                y,
            )
        })
        .collect();
    let turned: Vec<(f64, f64)> = if rng.chance(0.5) {
        points.iter().map(|(x, y)| (*y, *x)).collect()
    } else {
        points
    };
    canvas.line(&turned, 46.0, [205, 195, 150]);
    canvas.line(&turned, 38.0, [70, 135, 175]);
    canvas.line(&turned, 14.0, [90, 155, 195]);
    canvas
}

pub fn parking(rng: &mut Rng) -> Canvas {
    let mut canvas = Canvas::new([105, 105, 110]);
    for row in 0..4_u8 {
        let y = 36.0 + f64::from(row) * 62.0;
        for slot in 0..15_u8 {
            let x = 8.0 + f64::from(slot) * 17.0;
            canvas.rect([x, y - 15.0, x + 1.5, y + 15.0], [230, 230, 225]);
            if slot < 14 && rng.chance(0.7) {
                car(&mut canvas, (x + 9.0, y), Heading::Up, bright(rng));
            }
        }
    }
    canvas
}

pub fn airport(rng: &mut Rng) -> Canvas {
    let mut canvas = Canvas::new([145, 170, 110]);
    let y = rng.between(40.0, 70.0);
    canvas.rect([0.0, y, LENGTH, y + 34.0], [90, 90, 95]);
    for dash in 0..8_u8 {
        let x = f64::from(dash) * 34.0 + 8.0;
        canvas.rect([x, y + 15.5, x + 18.0, y + 18.5], [240, 240, 235]);
    }
    for bar in 0..4_u8 {
        let at = y + 4.0 + f64::from(bar) * 7.5;
        canvas.rect([3.0, at, 22.0, at + 3.5], [240, 240, 235]);
    }
    canvas.rect(
        [rng.between(40.0, 60.0), y + 34.0, 80.0, 140.0],
        [120, 120, 125],
    );
    canvas.rect([10.0, 130.0, 246.0, 212.0], [150, 150, 155]);
    canvas.rect([10.0, 212.0, 246.0, 246.0], [200, 195, 190]);
    if let Some(plane) = crate::abilities::icon::Icon::named("airplane") {
        for stand in 0..3_u8 {
            let x = 22.0 + f64::from(stand) * 76.0 + rng.between(-4.0, 4.0);
            plane.draw(
                &mut canvas,
                [x, 138.0, x + 62.0, 202.0],
                mixed(bright(rng), [245; 3], 0.75),
            );
        }
        let x = rng.between(60.0, 190.0);
        plane.draw(
            &mut canvas,
            [x, y + 2.0, x + 30.0, y + 32.0],
            [245, 245, 245],
        );
    }
    canvas
}

pub fn harbor(rng: &mut Rng) -> Canvas {
    let mut canvas = Canvas::new([50, 115, 155]);
    canvas.bands((0.0, LENGTH), ([60, 125, 165], [45, 105, 145]), 8);
    let quay = rng.between(40.0, 60.0);
    canvas.rect([0.0, 0.0, LENGTH, quay], [185, 178, 165]);
    for pier in 0..4_u8 {
        let x = 30.0 + f64::from(pier) * 62.0;
        canvas.rect([x, quay, x + 9.0, 236.0], [165, 135, 100]);
        for berth in 0..5_u8 {
            let y = quay + 24.0 + f64::from(berth) * 34.0;
            for side in [-1.0, 1.0] {
                if rng.chance(0.75) {
                    let (near, far) = (x + 4.5 + side * 6.0, x + 4.5 + side * 24.0);
                    let hull = mixed(bright(rng), [250; 3], 0.55);
                    canvas.polygon(
                        &[
                            (near, y - 6.0),
                            (far, y - 5.0),
                            (far + side * 7.0, y),
                            (far, y + 5.0),
                            (near, y + 6.0),
                        ],
                        hull,
                    );
                    let cabin = f64::midpoint(near, far);
                    canvas.rect(
                        [cabin - 4.0, y - 3.0, cabin + 4.0, y + 3.0],
                        mixed(hull, [0; 3], 0.35),
                    );
                }
            }
        }
    }
    canvas
}

pub fn residential(rng: &mut Rng) -> Canvas {
    let mut canvas = Canvas::new([140, 170, 105]);
    canvas.rect([0.0, 112.0, LENGTH, 144.0], [110, 110, 115]);
    let cross = rng.between(90.0, 150.0);
    canvas.rect([cross, 0.0, cross + 28.0, LENGTH], [110, 110, 115]);
    for dash in 0..10_u8 {
        let x = f64::from(dash) * 28.0;
        canvas.rect([x, 127.0, x + 13.0, 129.0], [235, 235, 225]);
    }
    for row in [22.0, 66.0, 156.0, 202.0] {
        for slot in 0..6_u8 {
            let x = 6.0 + f64::from(slot) * 44.0;
            if x + 36.0 < cross - 3.0 || x > cross + 31.0 {
                let wide = rng.between(26.0, 35.0);
                roof(
                    &mut canvas,
                    [x, row, x + wide, row + 28.0],
                    mixed(bright(rng), [150, 90, 70], 0.5),
                );
                crown(
                    &mut canvas,
                    (x + rng.between(0.0, 40.0), row + 36.0),
                    rng.between(4.0, 7.0),
                );
            }
        }
    }
    car(
        &mut canvas,
        (rng.between(20.0, 80.0), 136.0),
        Heading::Sideways,
        bright(rng),
    );
    car(
        &mut canvas,
        (rng.between(180.0, 240.0), 119.0),
        Heading::Sideways,
        bright(rng),
    );
    canvas
}
