//! Classification: one question with the list of classes.

use std::sync::Arc;

use serde_json::json;

use super::result::Told;
use super::scene::Scene;
use super::words::{Words, fields, form, numbered, schema, shown};
use super::{SubQuestion, Whose, answer, known};
use crate::chain::{Ask, AskPath, Fold, Outcome, Said};
use crate::question::{Question, Unaskable};
use record::Content;

/// The side of the square that is shown: the harness's crop for `ImageNet`.
const SIDE: u32 = 224;
/// The name of its only question.
const PATH: &str = "class";

/// A picture whose class is asked for.
pub(super) struct Classify {
    scene: Arc<Scene>,
    said: Option<String>,
    is_begun: bool,
}

/// The question.
#[derive(Debug)]
struct Which(Arc<Scene>);

impl Classify {
    pub(super) const fn new(scene: Arc<Scene>) -> Self {
        Self {
            scene,
            said: None,
            is_begun: false,
        }
    }
}

impl Fold for Classify {
    fn ready(&mut self) -> Vec<Ask> {
        if std::mem::replace(&mut self.is_begun, true) {
            return Vec::new();
        }
        let which = Which(Arc::clone(&self.scene));
        vec![Ask::new(AskPath::Part(PATH.to_owned()), move || {
            which.question()
        })]
    }

    fn take(&mut self, _path: &AskPath, said: Option<&Said>) {
        self.said = said.map(|said| said.done.text.clone());
    }

    fn end(self: Box<Self>) -> Option<Outcome> {
        let said = self.said?;
        let classes = known::classes(&self.scene.sample);
        let mut told = Told::default();
        let Some(class) = answer::class(&said, &classes) else {
            told.unread((0, 0), format!("{PATH}: not readable"));
            return Some(self.scene.unreadable(&told));
        };
        told.step((0, 0), format!("{PATH}: {class}"));
        self.scene.class(&class, &told).ok()
    }
}

impl Which {
    fn question(self) -> Result<Question, Unaskable> {
        let classes = known::classes(&self.0.sample);
        let system = format!(
            "You classify pictures. Every picture shows one of {} classes; name the one that fits best, spelled as in the list, and no other. The classes are: {}\n\n{}",
            classes.len(),
            classes.join("; "),
            form(&fields(1, "class of picture 1"))
        );
        let picture = self.0.view()?.shown.centred(SIDE);
        let turns = vec![shown("Which class does picture 1 show?", &picture)?];
        let schema = schema(numbered(1, &json!({"type": "string"})));
        let scene = Arc::clone(&self.0);
        let words = Words {
            system,
            turns,
            schema,
        };
        Ok(scene.question(words, Arc::new(self)))
    }
}

impl SubQuestion for Which {
    fn answer(&self, whose: Whose) -> Option<String> {
        let class = self.0.known(whose).class.as_ref()?;
        Some(json!({"1": class}).to_string())
    }

    fn choice(&self) -> Option<&Content> {
        let content = &self.0.sample.record.content;
        (!content.choices.is_empty()).then_some(content)
    }
}
