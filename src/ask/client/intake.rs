//! Size limits of one answer: bytes, events, text, reasoning and log probabilities.

use base::limits::Limit;
use serde_json::Value as Json;

use super::answer::Answer;
use super::class::Class;
use super::failure::Failure;
use super::json::at;

/// Sizes of the answer received so far.
#[derive(Debug, Default)]
pub struct Intake {
    bytes: u64,
    events: u64,
    tools: usize,
    logprobs: u64,
}

impl Intake {
    /// Counts bytes of the stream.
    ///
    /// # Errors
    /// The stream exceeds [`Limit::Stream`].
    pub fn bytes(&mut self, more: usize) -> Result<(), Failure> {
        self.bytes += more as u64;
        within(self.bytes, Limit::Stream)
    }

    /// Counts a stream event before it is added to the answer.
    ///
    /// # Errors
    /// There are too many events or too many log probabilities.
    pub fn event(&mut self, text: &str, json: &Json) -> Result<(), Failure> {
        self.events += 1;
        within(self.events, Limit::Events)?;
        let choice = at(json, &["choices"]).and_then(|choices| choices.get(0));
        let logprobs = choice.and_then(|choice| choice.get("logprobs"));
        if logprobs.is_some_and(|logprobs| !logprobs.is_null()) {
            self.logprobs += text.len() as u64;
            within(self.logprobs, Limit::Logprobs)?;
        }
        // Arguments of tool calls are counted, not stored.
        let delta = choice.and_then(|choice| choice.get("delta"));
        let tools = delta.map(|delta| [delta.get("tool_calls"), delta.get("function_call")]);
        let tools = tools.into_iter().flatten().flatten();
        let tools = tools.chain(at(json, &["delta", "partial_json"]));
        self.tools += tools.map(|tool| tool.to_string().len()).sum::<usize>();
        Ok(())
    }

    /// Checks the length of an answer.
    ///
    /// # Errors
    /// The text with tool calls, or the reasoning, is too long.
    pub fn fits(&self, answer: &Answer) -> Result<(), Failure> {
        let refusal = answer.refusal.as_ref().map_or(0, String::len);
        let names: usize = answer.tools.iter().map(String::len).sum();
        let said = answer.text.len() + refusal + self.tools.max(names);
        within(said as u64, Limit::Answer)?;
        within(answer.reasoning.len() as u64, Limit::Reasoning)
    }
}

fn within(count: u64, limit: Limit) -> Result<(), Failure> {
    if count > limit.get() {
        return Err(overlong("the answer", limit));
    }
    Ok(())
}

/// Returns the failure of a response that exceeds a size limit.
pub fn overlong(what: &str, limit: Limit) -> Failure {
    let words = format!("{what} is too long: {}", limit.message());
    Failure::new(Class::Overlong, words)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn each_part_of_an_answer_has_its_own_bound() {
        let long = |limit: Limit| "x".repeat(limit.length() + 1);
        let answer = Answer {
            text: long(Limit::Answer),
            ..Answer::default()
        };
        let message = Intake::default().fits(&answer).unwrap_err().message;
        assert!(message.contains("limits.answer"), "{message}");
        let answer = Answer {
            reasoning: long(Limit::Reasoning),
            ..Answer::default()
        };
        let message = Intake::default().fits(&answer).unwrap_err().message;
        assert!(message.contains("limits.reasoning"), "{message}");
        let mut intake = Intake::default();
        let tool = json!({"choices": [{"delta": {"tool_calls": [{"function": {"arguments": long(Limit::Answer)}}]}}]});
        intake.event("", &tool).unwrap();
        assert!(intake.fits(&Answer::default()).is_err(), "tool calls");
        let mut intake = Intake::default();
        let none = json!({"choices": [{"logprobs": null}]});
        let some = json!({"choices": [{"logprobs": {"content": []}}]});
        let text = long(Limit::Logprobs);
        assert!(intake.event(&text, &none).is_ok());
        let failure = intake.event(&text, &some).unwrap_err();
        assert!(failure.message.contains("limits.logprobs"), "{failure}");
        assert_eq!(failure.class, Class::Overlong);
    }

    #[test]
    fn the_whole_stream_and_its_events_are_counted() {
        let mut intake = Intake::default();
        let step = Limit::Stream.length() / 4;
        let taken = (0..9).take_while(|_| intake.bytes(step).is_ok()).count();
        assert_eq!(taken, 4);
        let mut intake = Intake {
            events: Limit::Events.get() - 3,
            ..Intake::default()
        };
        let taken = (0..9).take_while(|_| intake.event("", &Json::Null).is_ok());
        assert_eq!(taken.count(), 3);
    }
}
