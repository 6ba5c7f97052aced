//! Vision probe: checks that a server processes pictures, because some silently ignore them.

use std::sync::Arc;

use super::endpoint::Endpoint;
use super::picture::Picture;
use super::request::{Part, Request, Sampling, Turn};

/// A red square as PNG.
const RED: &[u8] = include_bytes!("red.png");
/// Side of the square in pixels.
const SIDE: u32 = 64;

/// Result and cost of a vision probe.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct VisionProbe {
    /// True if the prompt tokens rise with each picture. `None` if the server reports no
    /// counts or does not answer.
    pub counts: Option<bool>,
    /// Number of requests sent, including failed ones.
    pub requests: u64,
    /// Prompt and completion tokens of the answers, as far as the server reports them.
    pub tokens: [u64; 2],
}

impl Endpoint {
    /// Asks three one-token questions with zero, one and two pictures. If the server processes
    /// pictures, the prompt tokens rise each time.
    pub async fn counts_pictures(&self, model: &str) -> VisionProbe {
        let picture = Arc::new(Picture::new(RED.to_vec(), "image/png", (SIDE, SIDE)));
        let mut probe = VisionProbe::default();
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
                schema: None,
            };
            let Some(prompt) = self.probed(&request, &mut probe).await else {
                return probe;
            };
            counts.push(prompt);
        }
        probe.counts = Some(counts.is_sorted_by(|fewer, more| fewer < more));
        probe
    }

    /// Sends one request and adds its cost to `probe`. Returns its prompt tokens.
    async fn probed(&self, request: &Request, probe: &mut VisionProbe) -> Option<u64> {
        let usage = loop {
            let form = self.form(&request.model);
            let body = self.dialect.spelled(request, &form).ok()?;
            self.bill().ok()?;
            probe.requests += 1;
            let attempt = self.attempt(body, &form, 1, &|_| {}).await;
            self.unless_billed(&attempt.outcome);
            match attempt.outcome {
                Ok(answer) => break answer.usage,
                Err(failure) if self.learn(request, &form, &failure) => {}
                Err(_) => return None,
            }
        };
        probe.tokens[0] += usage.prompt.unwrap_or_default();
        probe.tokens[1] += usage.completion.unwrap_or_default();
        usage.prompt
    }
}
