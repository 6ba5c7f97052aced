//! Built-in encoders as models: real predictions from the pixels that would be sent.
//!
//! An encoder is trained per ability on first use, always on the same questions ([`TrainingSet`]).
//! It sees only question and options of the log; prompts and reasoning effort have no effect. It is
//! not asked about abilities that it was not trained for.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::num::NonZero;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::SystemTime;

use futures_util::future::BoxFuture;
use serde_json::json;
use tokio::sync::Semaphore;
use tokio::task::spawn_blocking;
use tokio_util::sync::CancellationToken;

use crate::encoder::Encoder;
use ask::client::{
    Answer, AskOutcome, AttemptRecord, Class, Failure, Picture, RequestEvent, digest,
};
use ask::{LocalModels, Model, Question, SCHEME, Sample, Step, are_fractions};
use record::benchmark::AnswerForm;
use record::{Content, Target};

use super::trained_encoder::TrainedEncoder;
use super::training_set::TrainingSet;

/// A training set and the name of an ability.
type Subject = (TrainingSet, String);

/// The built-in encoders, to be registered with [`ask::register`].
#[derive(Debug)]
pub struct Encoders;

impl LocalModels for Encoders {
    fn names(&self) -> Vec<&'static str> {
        Encoder::ALL.into_iter().map(Encoder::name).collect()
    }

    fn open(&self, name: &str, at_once: Option<usize>) -> Option<Arc<dyn Model>> {
        let encoder = Encoder::from_name(name)?;
        Some(Arc::new(Builtin::new(encoder, at_once)))
    }
}

/// A built-in encoder behind the model interface.
#[derive(Debug)]
struct Builtin {
    encoders: Arc<AbilityEncoders>,
    /// Answer formats, as far as they were looked up.
    forms: Mutex<BTreeMap<Subject, Option<AnswerForm>>>,
    at_once: usize,
    turns: Semaphore,
}

/// An encoder that is trained per ability on first use.
#[derive(Debug)]
struct AbilityEncoders {
    encoder: Encoder,
}

impl Builtin {
    /// Returns an encoder that answers `at_once` questions at the same time; `None` for one per
    /// processor.
    fn new(encoder: Encoder, at_once: Option<usize>) -> Self {
        let usual = || std::thread::available_parallelism().map_or(1, NonZero::get);
        let at_once = at_once.unwrap_or_else(usual).max(1);
        Self {
            encoders: Arc::new(AbilityEncoders { encoder }),
            forms: Mutex::default(),
            at_once,
            turns: Semaphore::new(at_once),
        }
    }

    /// Name of the encoder as a model.
    fn name(&self) -> &'static str {
        self.encoders.encoder.name()
    }

    /// Returns the answer format learned for an ability.
    fn form(&self, training_set: TrainingSet, ability: &str) -> Option<AnswerForm> {
        let mut forms = self.forms.lock().unwrap_or_else(PoisonError::into_inner);
        let known = forms.entry((training_set, ability.to_owned()));
        *known.or_insert_with(|| training_set.form(ability))
    }
}

impl AbilityEncoders {
    /// Answers a question on the calling thread; may take a few seconds.
    fn answer(&self, asked: EncoderInput) -> Result<Answer, Failure> {
        let EncoderInput {
            benchmark,
            ability,
            content,
            picture,
            is_part,
        } = asked;
        let training_set = TrainingSet::of(&benchmark, &content)
            .ok_or_else(|| cannot("the encoder was not trained for this benchmark"))?;
        let picture = picture.ok_or_else(|| cannot("the sample has no picture"))?;
        let trained = TrainedEncoder::train(self.encoder, training_set, &ability);
        let bytes = picture
            .bytes()
            .map_err(|error| cannot(&error.to_string()))?;
        let (decoded, _held) = media::decode_in_turn(&bytes, "the picture", 1)
            .map_err(|error| cannot(&error.to_string()))?;
        let pixels = decoded.pixels;
        if trained.has_seen(&pixels) {
            return Err(cannot("the encoder was trained on this picture"));
        }
        let text = trained
            .respond(&content, &pixels)
            .ok_or_else(|| cannot("the encoder was trained on none of the options"))?;
        // A chain expects the text of an option.
        let chosen = content.choices.iter().find(|choice| {
            let lettered = format!("{}. {}", choice.letter, choice.text);
            text == choice.letter || text == lettered
        });
        let text = match chosen {
            Some(choice) if is_part => choice.text.clone(),
            _ => text,
        };
        Ok(Answer {
            text,
            finish_reason: Some("stop".to_owned()),
            model: Some(self.encoder.name().to_owned()),
            fingerprint: Some(mark()),
            ..Answer::default()
        })
    }
}

/// Input of an encoder for one question.
struct EncoderInput {
    benchmark: String,
    ability: String,
    content: Content,
    picture: Option<Arc<Picture>>,
    /// True for a sub-question of a chain.
    is_part: bool,
}

impl EncoderInput {
    fn of(question: &Question) -> Result<Self, Failure> {
        let content =
            content(question).ok_or_else(|| cannot("this question of the chain has no options"))?;
        Ok(Self {
            benchmark: question.record.benchmark.clone(),
            ability: question.record.ability.clone(),
            content: content.clone(),
            picture: question.request.pictures().next().cloned(),
            is_part: question.part.is_some(),
        })
    }
}

/// Returns the content that an encoder can answer, without prompt wording. `None` for a
/// sub-question without options.
fn content(question: &Question) -> Option<&Content> {
    match &question.part {
        None => Some(&question.record.content),
        Some(part) => part.choice(),
    }
}

fn cannot(why: &str) -> Failure {
    Failure::new(Class::Request, why)
}

impl Model for Builtin {
    fn address(&self) -> String {
        format!("{SCHEME}{}", self.name())
    }

    fn width(&self) -> usize {
        self.at_once
    }

    fn is_here(&self) -> bool {
        true
    }

    fn list_models(&mut self) -> BoxFuture<'_, Result<Vec<String>, Failure>> {
        let name = self.name().to_owned();
        Box::pin(async move { Ok(vec![name]) })
    }

    fn unfit(&self, sample: &Sample, steps: &[Step]) -> Option<Cow<'static, str>> {
        let record = &sample.record;
        if steps.iter().any(|step| step.wording.is_some()) {
            return Some("a custom prompt, which encoders cannot read".into());
        }
        if steps.iter().any(|step| step.follows.is_some()) {
            return Some("a follow-up turn, which encoders cannot read".into());
        }
        if steps.iter().any(|step| step.effort.is_some()) {
            return Some("a reasoning effort, which encoders do not support".into());
        }
        if sample.pictures.is_empty() {
            return Some("no picture".into());
        }
        let Some(training_set) = TrainingSet::of(&record.benchmark, &record.content) else {
            let known = TrainingSet::ALL.map(TrainingSet::benchmark).join(", ");
            return Some(format!("a benchmark that the encoder was not trained for: it knows {known} and AVA-Bench").into());
        };
        let Some(learnt) = self.form(training_set, &record.ability) else {
            let known = training_set.abilities().join(", ");
            return Some(
                format!("an ability that the encoder was not trained for: it knows {known}").into(),
            );
        };
        if AnswerForm::asked(&record.ability, &record.content) != learnt {
            return Some("another answer format than the encoder was trained for".into());
        }
        in_fractions(&record.content)
            .then(|| "a box in fractions, but the encoder answers in pixels".into())
    }

    fn key(&self, question: &Question) -> String {
        let (record, content) = (&question.record, content(question));
        let choices = content.into_iter().flat_map(|content| &content.choices);
        let whole = json!({
            "address": self.address(),
            "mark": mark(),
            "benchmark": record.benchmark,
            "ability": record.ability,
            "question": content.map(|content| &content.question),
            "choices": choices.map(|choice| [&choice.letter, &choice.text]).collect::<Vec<_>>(),
            "pictures": question.request.pictures().map(|picture| &picture.digest).collect::<Vec<_>>(),
            "repeat": question.repeat,
        });
        digest(&whole)
    }

    fn ask<'a>(
        &'a self,
        question: &'a Question,
        cancel: &'a CancellationToken,
        on_news: &'a (dyn Fn(RequestEvent) + Send + Sync),
    ) -> BoxFuture<'a, AskOutcome> {
        Box::pin(async move {
            let stopped =
                || AskOutcome::without_slot(Err(Failure::new(Class::Cancelled, "stopped")), 0);
            let turn = tokio::select! {
                biased;
                () = cancel.cancelled() => return stopped(),
                turn = self.turns.acquire() => turn,
            };
            on_news(RequestEvent::Sent);
            let started = SystemTime::now();
            let work = spawn_blocking({
                let encoders = Arc::clone(&self.encoders);
                let asked = EncoderInput::of(question);
                move || encoders.answer(asked?)
            });
            let outcome = tokio::select! {
                biased;
                () = cancel.cancelled() => return stopped(),
                done = work => done.unwrap_or_else(|error| Err(Failure::new(Class::Server, error.to_string()))),
            };
            drop(turn);
            on_news(RequestEvent::Tried(AttemptRecord::here(started, &outcome)));
            AskOutcome::without_slot(outcome, 1)
        })
    }
}

/// Identifies the encoders. Another version or other training seeds may give other answers.
fn mark() -> String {
    let seeds = TrainingSet::SEEDS.map(|seed| seed.to_string());
    format!(
        "eyechart {}, learnt from seeds {}",
        env!("CARGO_PKG_VERSION"),
        seeds.join(" and ")
    )
}

/// Returns true if the answer is a box in fractions of the picture.
fn in_fractions(content: &Content) -> bool {
    matches!(content.target, Some(Target::Box(corners)) if are_fractions(corners))
}
