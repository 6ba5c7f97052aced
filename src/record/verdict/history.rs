//! Undo and redo of verdicts in a session. The file is append-only: undo appends another entry.

use serde_json::Value;

use super::{Entry, SampleKey, Verdict};

/// Content of an entry, without sample, author and time.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct VerdictContent {
    /// The author's verdict.
    pub verdict: Verdict,
    /// The author's reason; can be empty.
    pub note: String,
    /// The correct annotation, if the author entered it.
    pub target: Option<Value>,
    /// True if the sample was drawn at random.
    pub drawn: bool,
}

impl From<&Entry> for VerdictContent {
    fn from(entry: &Entry) -> Self {
        Self {
            verdict: entry.verdict,
            note: entry.note.clone(),
            target: entry.target.clone(),
            drawn: entry.drawn,
        }
    }
}

impl VerdictContent {
    /// Creates an entry with this content and the current time.
    pub fn on(&self, sample: SampleKey, author: &str) -> Entry {
        Entry {
            target: self.target.clone(),
            drawn: self.drawn,
            ..Entry::now(sample, self.verdict, &self.note, author)
        }
    }
}

#[derive(Clone, Debug, PartialEq)]
struct Change {
    sample: SampleKey,
    before: VerdictContent,
    after: VerdictContent,
}

/// Changes of verdicts in a session, as stacks for undo and redo.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct History {
    done: Vec<Change>,
    undone: Vec<Change>,
}

impl History {
    /// Records a change, and clears the changes that could be redone.
    pub fn push(&mut self, sample: SampleKey, before: VerdictContent, after: VerdictContent) {
        self.undone.clear();
        self.done.push(Change {
            sample,
            before,
            after,
        });
    }

    /// Undoes the last change; returns the sample and the content to append.
    pub fn undo(&mut self) -> Option<(SampleKey, VerdictContent)> {
        let change = self.done.pop()?;
        let said = (change.sample.clone(), change.before.clone());
        self.undone.push(change);
        Some(said)
    }

    /// Redoes the last undone change; returns the sample and the content to append.
    pub fn redo(&mut self) -> Option<(SampleKey, VerdictContent)> {
        let change = self.undone.pop()?;
        let said = (change.sample.clone(), change.after.clone());
        self.done.push(change);
        Some(said)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(id: &str) -> SampleKey {
        SampleKey {
            sample_id: id.to_owned(),
            benchmark: "b".to_owned(),
            ability: "a".to_owned(),
            ..SampleKey::default()
        }
    }

    fn word(verdict: Verdict) -> VerdictContent {
        VerdictContent {
            verdict,
            ..VerdictContent::default()
        }
    }

    #[test]
    fn undo_and_redo_lead_back_and_forth() {
        let mut history = History::default();
        history.push(key("1"), VerdictContent::default(), word(Verdict::Ok));
        history.push(key("1"), word(Verdict::Ok), word(Verdict::BadImage));
        assert_eq!(history.undo(), Some((key("1"), word(Verdict::Ok))));
        assert_eq!(history.undo(), Some((key("1"), VerdictContent::default())));
        assert_eq!(history.undo(), None);
        assert_eq!(history.redo(), Some((key("1"), word(Verdict::Ok))));
        history.push(key("2"), VerdictContent::default(), word(Verdict::Ok));
        assert_eq!(history.redo(), None, "another word was said since");
        assert_eq!(history.undo(), Some((key("2"), VerdictContent::default())));
    }
}
