//! Vision probe: checks that a server processes pictures, because some silently ignore them.

use std::sync::Arc;

use super::endpoint::Endpoint;
use super::request::{Part, Picture, Request, Sampling, Turn};

/// A red square.
const RED: &[u8] = include_bytes!("red.png");
/// Its side in pixels.
const SIDE: u32 = 64;

impl Endpoint {
    /// Asks three one-token questions with zero, one and two pictures. Returns whether the prompt token count rises
    /// each time; `None` if the server does not report it or does not answer.
    pub async fn counts_pictures(&self, model: &str) -> Option<bool> {
        let picture = Arc::new(Picture::new(RED.to_vec(), "image/png", (SIDE, SIDE)));
        let mut counts = Vec::new();
        for pictures in 0..=2 {
            let pictures = std::iter::repeat_n(Part::Picture(Arc::clone(&picture)), pictures);
            let parts = pictures.chain([Part::Text("Which colour?".to_owned())]);
            let request = Request {
                model: model.to_owned(),
                system: None,
                turns: vec![Turn::user(parts.collect())],
                sampling: Sampling {
                    max_tokens: Some(1),
                    ..Sampling::default()
                },
            };
            let field = self.quirks.field();
            let body = self.dialect.spelled(&request, field, self.stream).ok()?;
            let attempt = self.attempt(body, 1).await;
            self.bill(&attempt.outcome);
            counts.push(attempt.outcome.ok()?.usage.prompt?);
        }
        Some(counts.is_sorted_by(|fewer, more| fewer < more))
    }
}
