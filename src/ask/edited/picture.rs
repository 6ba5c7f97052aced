//! Picture edits in their text form, for example `turn 90`.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use media::{Noise, Region, Turn};

/// A picture edit. Boxes are `[left, top, right, bottom]` in fractions of the picture
/// after the previous edits.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum PictureEdit {
    /// `turn 90`: rotates clockwise.
    Turn(Turn),
    /// `flip`: mirrors left to right.
    Flip,
    /// `crop 0.1 0.2 0.5 0.6`: keeps only the box.
    Crop(Region),
    /// `mask 0.1 0.2 0.5 0.6`: covers the box with grey.
    Mask(Region),
    /// `blank`: replaces the picture by grey.
    Blank,
    /// `downscale 0.5`: scales both sides by this factor.
    Downscale(f64),
    /// `noise 25 seed 1`: adds Gaussian noise of this standard deviation, in
    /// grey levels (0 to 255).
    Noise(Noise),
}

/// A text that is not a picture edit.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error(
    "`{0}` is not a picture edit; use turn 90, flip, crop 0.1 0.2 0.5 0.6, mask 0.1 0.2 0.5 0.6, blank, downscale 0.5, noise 25 seed 1"
)]
pub struct PictureEditError(String);

impl fmt::Display for PictureEdit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let named = |f: &mut fmt::Formatter<'_>, name: &str, region: &Region| {
            f.write_str(name)?;
            let corners = region.xyxy().into_iter();
            // Four decimals are finer than a pixel of most pictures.
            corners
                .map(|corner| (corner * 1e4).round() / 1e4)
                .try_for_each(|corner| write!(f, " {corner}"))
        };
        match self {
            Self::Turn(turn) => write!(f, "turn {}", turn.degrees()),
            Self::Flip => f.write_str("flip"),
            Self::Crop(region) => named(f, "crop", region),
            Self::Mask(region) => named(f, "mask", region),
            Self::Blank => f.write_str("blank"),
            Self::Downscale(share) => write!(f, "downscale {share}"),
            Self::Noise(noise) => write!(f, "noise {} seed {}", noise.sigma, noise.seed),
        }
    }
}

impl FromStr for PictureEdit {
    type Err = PictureEditError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        parsed(text).ok_or_else(|| PictureEditError(text.trim().to_owned()))
    }
}

fn parsed(text: &str) -> Option<PictureEdit> {
    let words: Vec<&str> = text
        .split(|c: char| c.is_whitespace() || matches!(c, ',' | '[' | ']'))
        .filter(|word| !word.is_empty())
        .collect();
    Some(match words.as_slice() {
        ["turn", degrees] => {
            let degrees: u16 = degrees.parse().ok()?;
            let turn = Turn::EACH
                .into_iter()
                .find(|turn| turn.degrees() == degrees);
            PictureEdit::Turn(turn?)
        }
        ["flip"] => PictureEdit::Flip,
        ["blank"] => PictureEdit::Blank,
        ["crop", corners @ ..] => PictureEdit::Crop(region(corners)?),
        ["mask", corners @ ..] => PictureEdit::Mask(region(corners)?),
        ["downscale", share] => {
            let share: f64 = share.parse().ok()?;
            (share > 0.0 && share <= 1.0).then_some(PictureEdit::Downscale(share))?
        }
        ["noise", sigma, rest @ ..] => {
            let seed = match rest {
                [] => 0,
                ["seed", seed] => seed.parse().ok()?,
                _ => return None,
            };
            let sigma: f64 = sigma.parse().ok()?;
            (sigma > 0.0 && sigma <= 255.0).then_some(PictureEdit::Noise(Noise { sigma, seed }))?
        }
        _ => return None,
    })
}

/// Parses a non-empty box within the picture.
fn region(corners: &[&str]) -> Option<Region> {
    let corners: Vec<f64> = corners
        .iter()
        .map(|corner| corner.parse().ok())
        .collect::<Option<_>>()?;
    let [x0, y0, x1, y1] = *corners.first_chunk()?;
    let is_within = corners.iter().all(|corner| (0.0..=1.0).contains(corner));
    (corners.len() == 4 && is_within && x0 < x1 && y0 < y1).then(|| Region::new([x0, y0, x1, y1]))
}

impl PictureEdit {
    /// Parses a list of edits separated by `;`.
    ///
    /// # Errors
    /// One of the edits is invalid.
    pub fn list(text: &str) -> Result<Vec<Self>, PictureEditError> {
        let parts = text.split(';').filter(|part| !part.trim().is_empty());
        parts.map(str::parse).collect()
    }

    /// Adds an edit to a list and merges it with the last one: rotations add
    /// up, two flips cancel out.
    pub fn add(self, edits: &mut Vec<Self>) {
        match (self, edits.last().copied()) {
            (Self::Turn(more), Some(Self::Turn(turn))) => {
                edits.pop();
                let degrees = (turn.degrees() + more.degrees()) % 360;
                let turn = Turn::EACH
                    .into_iter()
                    .find(|turn| turn.degrees() == degrees);
                if let Some(turn) = turn.filter(|turn| *turn != Turn::NONE) {
                    edits.push(Self::Turn(turn));
                }
            }
            (Self::Flip, Some(Self::Flip)) => {
                edits.pop();
            }
            (Self::Downscale(more), Some(Self::Downscale(share))) => {
                edits.pop();
                edits.push(Self::Downscale(share * more));
            }
            (Self::Blank, Some(Self::Blank)) => {}
            (more, _) => edits.push(more),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_edit_leads_back_from_its_text() {
        let line = "turn 90; flip; crop 0.1 0.2 0.5 0.6; mask 0 0 1 0.5; blank; downscale 0.25; noise 12.5 seed 7";
        let edits = PictureEdit::list(line).unwrap();
        assert_eq!(edits.len(), 7);
        let texts: Vec<String> = edits.iter().map(ToString::to_string).collect();
        assert_eq!(texts.join("; "), line);
        assert_eq!(
            "mask [0.1, 0.2, 0.5, 0.6]".parse(),
            "mask 0.1 0.2 0.5 0.6".parse::<PictureEdit>()
        );
        assert_eq!(PictureEdit::list(" ; "), Ok(Vec::new()));
    }

    #[test]
    fn what_is_no_edit_is_named() {
        for text in [
            "turn 45",
            "crop 0.5 0 0.1 1",
            "crop 0 0 1",
            "mask 0 0 2 1",
            "downscale 0",
            "downscale 2",
            "noise",
            "noise -1",
            "noise 5 seed x",
            "swirl",
        ] {
            let error = text.parse::<PictureEdit>().unwrap_err().to_string();
            assert!(
                error.starts_with(&format!("`{text}` is not a picture edit")),
                "{error}"
            );
        }
    }

    #[test]
    fn what_is_done_twice_is_said_once() {
        let after = |steps: &str| {
            let mut edits = Vec::new();
            for edit in PictureEdit::list(steps).unwrap() {
                edit.add(&mut edits);
            }
            let texts: Vec<String> = edits.iter().map(ToString::to_string).collect();
            texts.join("; ")
        };
        assert_eq!(after("turn 90; turn 90"), "turn 180");
        assert_eq!(after("turn 270; turn 90; flip; flip"), "");
        assert_eq!(
            after("downscale 0.5; downscale 0.5; blank; blank"),
            "downscale 0.25; blank"
        );
        assert_eq!(after("noise 5; noise 5"), "noise 5 seed 0; noise 5 seed 0");
    }
}
