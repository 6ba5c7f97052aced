//! Draws built scenes: streets and rooms.

use super::nature::sky;
use crate::Rng;
use crate::abilities::canvas::{Canvas, LENGTH, mixed};
use crate::abilities::icon::Icon;
use crate::abilities::palette::{bright, pale};

pub fn city(rng: &mut Rng) -> Canvas {
    let mut canvas = sky(200.0, rng);
    let mut x = -10.0;
    while x < LENGTH {
        let (wide, top) = (rng.between(34.0, 60.0), rng.between(20.0, 120.0));
        let wall = mixed(pale(rng), [90, 90, 100], rng.between(0.3, 0.7));
        canvas.rect([x, top, x + wide, 205.0], wall);
        let mut y = top + 8.0;
        while y < 185.0 {
            let mut at = x + 6.0;
            while at + 7.0 < x + wide - 2.0 {
                let lit = if rng.chance(0.3) {
                    [250, 230, 150]
                } else {
                    mixed(wall, [30, 40, 60], 0.6)
                };
                canvas.rect([at, y, at + 6.0, y + 8.0], lit);
                at += 11.0;
            }
            y += 15.0;
        }
        x += wide + 2.0;
    }
    canvas.rect([0.0, 200.0, LENGTH, 212.0], [185, 182, 178]);
    canvas.rect([0.0, 212.0, LENGTH, LENGTH], [85, 85, 90]);
    for dash in 0..6_u8 {
        let at = f64::from(dash) * 48.0;
        canvas.rect([at, 234.0, at + 24.0, 237.0], [235, 235, 225]);
    }
    if let Some(car) = Icon::named("car") {
        let at = rng.between(20.0, 170.0);
        car.draw(&mut canvas, [at, 200.0, at + 58.0, 232.0], bright(rng));
    }
    canvas
}

pub fn living_room(rng: &mut Rng) -> Canvas {
    let wall = pale(rng);
    let mut canvas = Canvas::new(wall);
    canvas.rect([0.0, 185.0, LENGTH, LENGTH], [175, 135, 95]);
    canvas.rect([0.0, 180.0, LENGTH, 186.0], [240, 238, 232]);
    let (x, sofa) = (rng.between(20.0, 70.0), bright(rng));
    let dark = mixed(sofa, [0; 3], 0.25);
    let window = if x > 45.0 { 24.0 } else { 150.0 };
    canvas.rect([window, 28.0, window + 76.0, 100.0], [245, 244, 240]);
    canvas.rect([window + 5.0, 33.0, window + 35.5, 95.0], [175, 215, 240]);
    canvas.rect([window + 40.5, 33.0, window + 71.0, 95.0], [175, 215, 240]);
    canvas.oval((128.0, 232.0), (110.0, 20.0), pale(rng));
    canvas.rect([x, 135.0, x + 130.0, 185.0], sofa);
    canvas.rect([x - 14.0, 155.0, x + 8.0, 212.0], dark);
    canvas.rect([x + 122.0, 155.0, x + 144.0, 212.0], dark);
    canvas.rect(
        [x + 8.0, 178.0, x + 122.0, 212.0],
        mixed(sofa, [255; 3], 0.15),
    );
    canvas.rect([x + 64.0, 178.0, x + 66.0, 212.0], dark);
    if let Some(lamp) = Icon::named("lamp") {
        lamp.draw(&mut canvas, [200.0, 95.0, 248.0, 214.0], bright(rng));
    }
    canvas
}
