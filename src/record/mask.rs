//! Masks of one picture, and their run lengths.

/// The pixels of a picture that belong to an object.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Mask {
    /// Width in pixels.
    pub width: usize,
    /// True for each pixel of the object, row by row.
    pub pixels: Vec<bool>,
}

/// The annotated and the predicted mask of one object.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Masks {
    /// The annotated mask; `None` if it is unknown.
    pub truth: Option<Mask>,
    /// The predicted mask; `None` if the log does not contain it.
    pub found: Option<Mask>,
}

impl Mask {
    /// Returns the number of pixels of the object.
    pub fn area(&self) -> usize {
        self.pixels.iter().filter(|pixel| **pixel).count()
    }

    /// Returns run lengths, row by row: off, on, off and so on.
    pub fn runs(&self) -> Vec<u32> {
        let mut runs = vec![0];
        let mut state = false;
        for &pixel in &self.pixels {
            if pixel != state {
                state = pixel;
                runs.push(0);
            }
            if let Some(last) = runs.last_mut() {
                *last += 1;
            }
        }
        runs
    }
}
