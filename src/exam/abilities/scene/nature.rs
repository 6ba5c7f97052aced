//! Draws natural scenes.

use crate::Rng;
use crate::abilities::canvas::{Canvas, Ink, LENGTH, mixed};
use crate::abilities::icon::Icon;
use crate::abilities::palette::bright;

/// Draws a sky down to the horizon, in daylight or at dusk.
pub fn sky(horizon: f64, rng: &mut Rng) -> Canvas {
    let mut canvas = Canvas::new([200, 225, 240]);
    let skies: [(Ink, Ink); 3] = [
        ([140, 190, 230], [220, 235, 245]),
        ([165, 180, 200], [215, 220, 225]),
        ([235, 170, 120], [250, 225, 180]),
    ];
    let (high, low) = rng.choose(&skies);
    canvas.bands((0.0, horizon), (high, low), 14);
    canvas
}

pub fn beach(rng: &mut Rng) -> Canvas {
    let horizon = rng.between(80.0, 115.0);
    let shore = horizon + rng.between(45.0, 65.0);
    let mut canvas = sky(horizon, rng);
    canvas.bands((horizon, shore), ([45, 120, 165], [110, 190, 205]), 8);
    canvas.bands((shore, LENGTH), ([240, 225, 180], [225, 200, 145]), 8);
    for wave in 0..12_u8 {
        let x = f64::from(wave) * 24.0 + rng.between(-4.0, 4.0);
        canvas.oval((x, shore), (16.0, 4.5), [245, 248, 248]);
    }
    canvas.disc(
        (rng.between(30.0, 226.0), rng.between(25.0, 60.0)),
        14.0,
        [250, 225, 120],
    );
    let (x, y) = (rng.between(30.0, 150.0), rng.between(150.0, 170.0));
    if let (Some(umbrella), Some(boat)) = (Icon::named("umbrella"), Icon::named("sailboat")) {
        umbrella.draw(&mut canvas, [x, y, x + 66.0, y + 74.0], bright(rng));
        let x = rng.between(20.0, 210.0);
        boat.draw(
            &mut canvas,
            [x, horizon - 16.0, x + 22.0, horizon + 8.0],
            bright(rng),
        );
    }
    canvas
}

pub fn forest(rng: &mut Rng) -> Canvas {
    let mut canvas = sky(120.0, rng);
    canvas.rect([0.0, 60.0, LENGTH, LENGTH], [95, 130, 95]);
    canvas.bands((190.0, LENGTH), ([85, 105, 60], [60, 75, 45]), 6);
    for row in 0..4_u8 {
        let (near, count) = (f64::from(row), 9 - row);
        for _ in 0..count {
            let (x, foot) = (
                rng.between(-10.0, 266.0),
                165.0 + near * 24.0 + rng.between(-6.0, 6.0),
            );
            let size = 70.0 + near * 32.0;
            let green = mixed(
                [110, 145, 105],
                [30, 80, 45],
                near / 3.0 + rng.between(-0.1, 0.1),
            );
            canvas.rect(
                [x - size * 0.04, foot - size * 0.3, x + size * 0.04, foot],
                [90, 65, 45],
            );
            for tier in 0..3_u8 {
                let up = f64::from(tier) * size * 0.25;
                let wide = size * (0.3 - 0.07 * f64::from(tier));
                let low = foot - size * 0.2 - up;
                canvas.polygon(
                    &[(x - wide, low), (x + wide, low), (x, low - size * 0.42)],
                    green,
                );
            }
        }
    }
    canvas
}

pub fn mountain(rng: &mut Rng) -> Canvas {
    let mut canvas = sky(190.0, rng);
    for layer in 0..3_u8 {
        let near = f64::from(layer);
        let ink = mixed([150, 160, 180], [85, 90, 105], near / 2.0);
        for _ in 0..3 {
            let (x, peak) = (
                rng.between(0.0, LENGTH),
                40.0 + near * 32.0 + rng.between(0.0, 30.0),
            );
            let wide = rng.between(70.0, 110.0);
            let foot = 205.0;
            canvas.polygon(&[(x - wide, foot), (x, peak), (x + wide, foot)], ink);
            let cap = (foot - peak) * 0.28;
            let part = wide * 0.28;
            canvas.polygon(
                &[
                    (x, peak),
                    (x - part, peak + cap),
                    (x - part * 0.4, peak + cap * 0.75),
                    (x, peak + cap * 1.1),
                    (x + part * 0.4, peak + cap * 0.75),
                    (x + part, peak + cap),
                ],
                [245, 247, 250],
            );
        }
    }
    canvas.bands((200.0, LENGTH), ([125, 150, 95], [95, 125, 70]), 5);
    canvas
}

pub fn desert(rng: &mut Rng) -> Canvas {
    let mut canvas = sky(140.0, rng);
    canvas.disc(
        (rng.between(40.0, 216.0), rng.between(28.0, 55.0)),
        17.0,
        [252, 230, 130],
    );
    for layer in 0..4_u8 {
        let near = f64::from(layer);
        let ink = mixed([240, 210, 150], [205, 150, 85], near / 3.0);
        let y = 130.0 + near * 34.0;
        canvas.oval((rng.between(0.0, 120.0), y + 70.0), (170.0, 80.0), ink);
        canvas.oval((rng.between(140.0, 256.0), y + 76.0), (160.0, 80.0), ink);
    }
    for _ in 0..3 {
        let (x, y) = (rng.between(25.0, 230.0), rng.between(165.0, 235.0));
        let (size, ink) = (rng.between(0.6, 1.1), [75, 125, 70]);
        let at = |dx: f64, dy: f64| (x + dx * size, y + dy * size);
        canvas.line(&[at(0.0, 0.0), at(0.0, -58.0)], 11.0 * size, ink);
        canvas.line(
            &[at(0.0, -22.0), at(-19.0, -22.0), at(-19.0, -40.0)],
            8.0 * size,
            ink,
        );
        canvas.line(
            &[at(0.0, -30.0), at(18.0, -30.0), at(18.0, -48.0)],
            8.0 * size,
            ink,
        );
    }
    canvas
}

pub fn snow(rng: &mut Rng) -> Canvas {
    let mut canvas = sky(130.0, rng);
    canvas.bands((120.0, LENGTH), ([222, 232, 242], [248, 250, 252]), 6);
    canvas.oval(
        (rng.between(40.0, 216.0), 150.0),
        (150.0, 36.0),
        [235, 241, 247],
    );
    for _ in 0..3 {
        let (x, foot) = (rng.between(15.0, 240.0), rng.between(135.0, 180.0));
        for tier in 0..3_u8 {
            let (up, wide) = (f64::from(tier) * 16.0, 22.0 - 5.0 * f64::from(tier));
            let low = foot - up;
            canvas.polygon(
                &[(x - wide, low), (x + wide, low), (x, low - 28.0)],
                [70, 105, 90],
            );
            canvas.polygon(
                &[
                    (x - wide * 0.5, low - 14.0),
                    (x + wide * 0.5, low - 14.0),
                    (x, low - 28.0),
                ],
                [245, 248, 250],
            );
        }
    }
    let (x, y) = (rng.between(50.0, 200.0), rng.between(215.0, 232.0));
    for (dy, size) in [(0.0, 26.0), (-36.0, 19.0), (-62.0, 13.0)] {
        canvas.disc((x, y + dy), size + 1.5, [190, 202, 215]);
        canvas.disc((x, y + dy), size, [252, 253, 254]);
    }
    for dx in [-4.0, 5.0] {
        canvas.disc((x + dx, y - 65.0), 2.0, [30, 30, 35]);
    }
    canvas.polygon(
        &[(x, y - 62.0), (x + 16.0, y - 58.0), (x, y - 57.0)],
        [235, 140, 50],
    );
    for _ in 0..60 {
        canvas.disc(
            (rng.between(0.0, LENGTH), rng.between(0.0, LENGTH)),
            1.8,
            [255, 255, 255],
        );
    }
    canvas
}

pub fn underwater(rng: &mut Rng) -> Canvas {
    let mut canvas = Canvas::new([30, 110, 160]);
    canvas.bands((0.0, LENGTH), ([90, 185, 210], [15, 70, 120]), 16);
    canvas.oval((128.0, 256.0), (180.0, 34.0), [205, 190, 140]);
    for _ in 0..7 {
        let x = rng.between(8.0, 248.0);
        let points: Vec<(f64, f64)> = (0..6_u8)
            .map(|at| {
                let side = if at % 2 == 0 { 5.0 } else { -5.0 };
                (x + side, 250.0 - f64::from(at) * 15.0)
            })
            .collect();
        canvas.line(
            &points,
            6.0,
            mixed([40, 130, 80], [110, 160, 60], rng.between(0.0, 1.0)),
        );
    }
    for _ in 0..5 {
        let (x, y, size) = (
            rng.between(10.0, 190.0),
            rng.between(25.0, 170.0),
            rng.between(30.0, 56.0),
        );
        if let Some(fish) = Icon::named("fish") {
            fish.draw(&mut canvas, [x, y, x + size, y + size * 0.7], bright(rng));
        }
    }
    for _ in 0..14 {
        let (at, radius) = (
            (rng.between(0.0, LENGTH), rng.between(0.0, 220.0)),
            rng.between(2.0, 5.0),
        );
        canvas.disc(at, radius, [195, 228, 240]);
    }
    canvas
}
