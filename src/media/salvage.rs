//! Keeps the pixels that a decoder has read before it fails.

use image::error::{ImageError, ImageResult};
use image::{ColorType, ExtendedColorType, ImageDecoder, ImageFormat};

use super::decode::first_line;

/// Wraps a decoder. If the decoder fails after reading some pixels, its error goes to `fault` and
/// the pixels are kept.
pub(super) struct Salvage<'a, D> {
    decoder: D,
    /// True if the decoder converts 16-bit values to native byte order only at the end.
    turns_late: bool,
    fault: &'a mut Option<String>,
}

impl<'a, D: ImageDecoder> Salvage<'a, D> {
    /// Wraps a decoder of `format`. If it fails half way, the reason is written to `fault`.
    pub(super) fn new(decoder: D, format: ImageFormat, fault: &'a mut Option<String>) -> Self {
        Self {
            decoder,
            turns_late: format == ImageFormat::Png,
            fault,
        }
    }
}

impl<D: ImageDecoder> ImageDecoder for Salvage<'_, D> {
    fn dimensions(&self) -> (u32, u32) {
        self.decoder.dimensions()
    }

    fn color_type(&self) -> ColorType {
        self.decoder.color_type()
    }

    fn original_color_type(&self) -> ExtendedColorType {
        self.decoder.original_color_type()
    }

    fn read_image(self, pixels: &mut [u8]) -> ImageResult<()> {
        let color = self.decoder.color_type();
        let is_wide = color.bytes_per_pixel() == 2 * color.channel_count();
        let Err(error) = self.decoder.read_image(pixels) else {
            return Ok(());
        };
        // No pixel was read, so nothing can be shown.
        if matches!(error, ImageError::Limits(_)) || pixels.iter().all(|byte| *byte == 0) {
            return Err(error);
        }
        if is_wide && self.turns_late {
            for value in pixels.as_chunks_mut::<2>().0 {
                *value = u16::from_be_bytes(*value).to_ne_bytes();
            }
        }
        *self.fault = Some(first_line(&error));
        Ok(())
    }

    fn read_image_boxed(self: Box<Self>, pixels: &mut [u8]) -> ImageResult<()> {
        (*self).read_image(pixels)
    }
}
