//! Classification: one question with the list of classes, for one picture or a batch.

use std::sync::Arc;

use serde_json::{Map, Value as Json, json};

use super::prompt::{Messages, fields, form, numbered, schema};
use super::result::AnswerLog;
use super::scene::Scene;
use super::{ReferenceSource, SubQuestion, answer, reference};
use crate::chain::{Ask, AskPath, Fold, JudgedAnswer, Outcome};
use crate::question::{Question, Unaskable};
use record::Content;

/// Path of the only question.
const PATH: &str = "class";

/// A picture to classify, alone or in a batch.
pub(super) struct Classify {
    which: ClassQuestion,
    /// Position of the picture in the batch.
    at: usize,
    said: Option<JudgedAnswer>,
    is_begun: bool,
}

/// The question about a batch of pictures, numbered from 1.
#[derive(Clone, Debug)]
struct ClassQuestion(Arc<[Arc<Scene>]>);

impl Classify {
    /// Returns the fold of a picture in a batch. The first picture's fold asks the question for
    /// all.
    pub(super) const fn of_batch(scenes: Arc<[Arc<Scene>]>, at: usize) -> Self {
        Self {
            which: ClassQuestion(scenes),
            at,
            said: None,
            is_begun: at > 0,
        }
    }

    fn scene(&self) -> Option<&Arc<Scene>> {
        self.which.0.get(self.at)
    }
}

impl Fold for Classify {
    fn ready(&mut self) -> Vec<Ask> {
        if std::mem::replace(&mut self.is_begun, true) {
            return Vec::new();
        }
        let which = self.which.clone();
        vec![Ask::new(AskPath::Part(PATH.to_owned()), move || {
            which.question()
        })]
    }

    fn receive(&mut self, _path: &AskPath, said: Option<&JudgedAnswer>) {
        self.said = said.cloned();
    }

    fn end(self: Box<Self>) -> Option<Outcome> {
        let said = self.said.as_ref()?;
        let scene = self.scene()?;
        scene.view().ok()?;
        let classes = reference::classes(&scene.sample);
        let (mut told, text) = (AnswerLog::default(), &said.done.text);
        let named = match self.which.0.len() {
            1 => answer::class(text, &classes),
            count => answer::classes(text, count).and_then(|mut named| named.swap_remove(self.at)),
        };
        let Some(class) = named else {
            told.unread((0, 0), PATH, said);
            return Some(scene.unreadable(&told));
        };
        told.step((0, 0), format!("{PATH}: {class}"));
        scene.class(&class, &told).ok()
    }

    fn unaskable(&self) -> Option<Unaskable> {
        // A missing or broken picture was left out of the batch's question.
        self.said.as_ref()?;
        self.scene()?.view().err()
    }
}

impl ClassQuestion {
    fn question(self) -> Result<Question, Unaskable> {
        let count = self.0.len();
        let [first, ..] = &*self.0 else {
            return Err(Unaskable::Part("there is no picture"));
        };
        let classes = reference::classes(&first.sample);
        let list = classes.join("; ");
        let field = match count {
            1 => "class of picture 1",
            _ => "class of the picture of this number",
        };
        let system = format!(
            "You classify pictures. Every picture shows one of {} classes; name the one that fits best, spelled as in the list, and no other. The classes are: {list}\n\n{}",
            classes.len(),
            form(&fields(count, field))
        );
        let (mut messages, mut missing) = (Messages::new(&first.asking, count), None);
        for (number, scene) in (1..).zip(&*self.0) {
            match scene.view() {
                Ok(view) => {
                    let words = format!("Which class does picture {number} show?");
                    messages.show(words, &view.shown)?;
                }
                Err(why) => missing = Some(why),
            }
        }
        if let (true, Some(why)) = (messages.turns.is_empty(), missing) {
            return Err(why);
        }
        let schema = schema(numbered(count, &json!({"type": "string"})));
        let scene = Arc::clone(first);
        Ok(scene.question(system, messages, schema, Arc::new(self)))
    }
}

impl SubQuestion for ClassQuestion {
    fn answer(&self, whose: ReferenceSource) -> Option<String> {
        let known = |scene: &Arc<Scene>| scene.known(whose).class.clone();
        let classes = self.0.iter().map(known);
        let named: Map<String, Json> = (1..)
            .zip(classes)
            .filter_map(|(number, class): (usize, _)| Some((number.to_string(), json!(class?))))
            .collect();
        (!named.is_empty()).then(|| Json::Object(named).to_string())
    }

    fn choice(&self) -> Option<&Content> {
        let [scene] = &*self.0 else { return None };
        let content = &scene.sample.record.content;
        (!content.choices.is_empty()).then_some(content)
    }
}
