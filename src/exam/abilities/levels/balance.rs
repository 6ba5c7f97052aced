//! Balances lightness, so that it reveals no answer: all quarters of a picture are equally light,
//! and all values equally frequent.

/// Number of rounds; each of the two corrections slightly disturbs the other.
const ROUNDS: usize = 4;
/// Radius at which the lamp's light has fallen to three fifths, in half sides of the picture.
const WIDE: f64 = 0.7;
/// Number of bins for counting lightness.
const STEPS: usize = 4096;

/// A lamp in front of a picture: a Gaussian spot of light. Positions are in half sides from the
/// picture's centre.
#[derive(Clone, Copy, Debug)]
pub struct Lamp {
    /// Position to the right.
    pub across: f64,
    /// Position downwards.
    pub down: f64,
    /// Added lightness at the centre of the spot; lightness goes from 0 to 1.
    pub bright: f64,
}

/// Balances the lightness of a square picture, in rows of `width`. Each quarter gets the mean 0.5,
/// and all values from 0 to 1 become nearly equally frequent. Edges stay in place; uniform areas
/// take the light of the lamp.
pub fn balanced(mut values: Vec<f64>, width: usize, lamp: Lamp) -> Vec<f64> {
    for (at, value) in values.iter_mut().enumerate() {
        let (across, down) = place(at, width);
        let away = (across - lamp.across).hypot(down - lamp.down) / WIDE;
        *value += lamp.bright * (-away * away / 2.0).exp();
    }
    let evened = (0..ROUNDS).fold(values, |values, _| evened(levelled(values, width)));
    levelled(evened, width)
}

/// Adds a gradient and a twist, like uneven light, so that every quarter has the mean 0.5.
fn levelled(mut values: Vec<f64>, width: usize) -> Vec<f64> {
    let mut sums = [[(0.0, 0.0); 2]; 2];
    for (at, value) in values.iter().enumerate() {
        let (across, down) = place(at, width);
        let (sum, count) = &mut sums[usize::from(down > 0.0)][usize::from(across > 0.0)];
        *sum += value;
        *count += 1.0;
    }
    let [[a, b], [c, d]] = sums.map(|row| row.map(|(sum, count): (f64, f64)| sum / count.max(1.0)));
    let mean = (a + b + c + d) / 4.0 - 0.5;
    // Over a quarter, each gradient has a mean of 1/2, and the twist has a mean of 1/4.
    let (right, low, twist) = ((b + d - a - c) / 2.0, (c + d - a - b) / 2.0, a + d - b - c);
    for (at, value) in values.iter_mut().enumerate() {
        let (across, down) = place(at, width);
        *value -= mean + right * across + low * down + twist * across * down;
    }
    values
}

/// Centre of a pixel: to the right and downwards, from -1 to 1.
fn place(at: usize, width: usize) -> (f64, f64) {
    #[expect(clippy::cast_precision_loss, reason = "a few thousand")]
    let share = |at: usize| (2 * at + 1) as f64 / width.max(1) as f64 - 1.0;
    (share(at % width.max(1)), share(at / width.max(1)))
}

/// Replaces each value by the share of values below it.
fn evened(mut values: Vec<f64>) -> Vec<f64> {
    let least = values.iter().copied().fold(f64::INFINITY, f64::min);
    let most = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    #[expect(clippy::cast_precision_loss, reason = "millions")]
    let (steps, all) = (STEPS as f64, values.len().max(1) as f64);
    let stride = ((most - least) / steps).max(f64::MIN_POSITIVE);
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "clamped to the steps"
    )]
    let step = |value: f64| (((value - least) / stride).floor().clamp(0.0, steps - 1.0)) as usize;
    let mut counts = vec![0.0_f64; STEPS];
    for value in &values {
        counts[step(*value)] += 1.0;
    }
    let mut below = Vec::with_capacity(STEPS);
    let mut sum = 0.0;
    for count in &counts {
        below.push(sum);
        sum += count;
    }
    for value in &mut values {
        let at = step(*value);
        #[expect(clippy::cast_precision_loss, reason = "thousands")]
        let within = (*value - least) / stride - at as f64;
        *value = (below[at] + within.clamp(0.0, 1.0) * counts[at]) / all;
    }
    values
}

#[cfg(test)]
mod tests {
    use super::*;

    const WIDTH: usize = 128;
    const LAMP: Lamp = Lamp {
        across: 0.3,
        down: -0.5,
        bright: 0.35,
    };

    fn picture(of: impl Fn(f64, f64) -> f64) -> Vec<f64> {
        let places = (0..WIDTH * WIDTH).map(|at| place(at, WIDTH));
        places.map(|(across, down)| of(across, down)).collect()
    }

    fn mean(values: &[f64], wanted: impl Fn(f64, f64) -> bool) -> f64 {
        let places = values.iter().enumerate();
        let inside = places.filter(|(at, _)| {
            let (across, down) = place(*at, WIDTH);
            wanted(across, down)
        });
        let inside: Vec<f64> = inside.map(|(_, value)| *value).collect();
        inside.iter().sum::<f64>() / inside.len() as f64
    }

    /// A bright sky above dark ground, and a tower in a corner.
    fn scene(across: f64, down: f64) -> f64 {
        let is_tower = across > 0.6 && down > -0.8;
        match (is_tower, down < -0.1) {
            (true, _) => 0.9 - 0.1 * (20.0 * down).sin(),
            (_, true) => 0.7 + 0.05 * (9.0 * across).cos(),
            _ => 0.1 + 0.1 * (14.0 * across + 5.0 * down).sin(),
        }
    }

    #[test]
    fn no_quarter_is_lighter_and_no_lightness_more_frequent() {
        for of in [
            scene,
            |across: f64, _| across.powi(3),
            |across: f64, down: f64| f64::from(across.hypot(down) < 0.4),
        ] {
            let values = balanced(picture(of), WIDTH, LAMP);
            let quarters = [(-1.0, -1.0), (1.0, -1.0), (-1.0, 1.0), (1.0, 1.0)];
            for (x, y) in quarters {
                let mean = mean(&values, |across, down| across * x > 0.0 && down * y > 0.0);
                assert!((mean - 0.5).abs() < 1e-9, "{mean}");
            }
            for tenth in 0..10 {
                let low = f64::from(tenth) / 10.0;
                let inside = values
                    .iter()
                    .filter(|value| (low..low + 0.1).contains(*value));
                let share = inside.count() as f64 / values.len() as f64;
                assert!((share - 0.1).abs() < 0.03, "{low} {share}");
            }
        }
    }

    #[test]
    fn edges_stay_where_they_are() {
        let values = balanced(picture(scene), WIDTH, LAMP);
        let of = |across: f64, down: f64| {
            mean(&values, |x, y| {
                (x - across).abs() < 0.04 && (y - down).abs() < 0.04
            })
        };
        assert!(
            of(0.66, 0.3) > of(0.54, 0.3) + 0.2,
            "the tower before the ground"
        );
        assert!(of(-0.4, -0.16) > of(-0.4, -0.04) + 0.2, "sky and ground");
    }

    #[test]
    fn a_picture_without_pixels_stays_empty() {
        assert!(balanced(Vec::new(), 0, LAMP).is_empty());
    }
}
