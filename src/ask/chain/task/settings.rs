//! Task and settings of a chain.

use media::Superpixels;

base::named_enum! {
    /// A dense task of fm-vision-evals.
    ///
    /// Names are those of the harness.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub enum Task {
        /// The class of the whole picture.
        Classify = "classify",
        /// The classes in the picture, and a box for each.
        Detect = "detect",
        /// The class of each superpixel.
        Segment = "segment",
        /// The superpixels of the object at a point.
        Group = "group",
        /// The nearer of two superpixels, for many pairs.
        Depth = "depth",
        /// Which of two superpixels faces more to the right, up and to the viewer, for many pairs.
        Normals = "normals",
    }
}

impl Task {
    /// Name of the task in the paper.
    const fn noun(self) -> &'static str {
        match self {
            Self::Classify => "classification",
            Self::Detect => "detection",
            Self::Segment => "segmentation",
            Self::Group => "grouping",
            Self::Depth => "depth",
            Self::Normals => "normals",
        }
    }

    /// Returns the task with a name of the harness or the paper.
    pub fn named(name: &str) -> Option<Self> {
        let is_it = |task: &Self| task.name() == name || task.noun() == name;
        Self::ALL.into_iter().find(is_it)
    }
}

/// A task and its settings; defaults are the harness's.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct TaskChain {
    /// The task that the chain solves.
    pub task: Task,
    /// Approximate number of superpixels; 0 if the task needs none.
    pub segments: u32,
    /// Number of pairs to compare.
    pub pairs: u32,
    /// Superpixels per request; for classification, samples per request.
    pub batch: u32,
    /// True to show blank pictures, which measures guessing.
    pub is_blank: bool,
}

/// Maximum value of a setting.
const MOST: u32 = 100_000;

impl TaskChain {
    /// Returns a task with the harness's settings.
    pub const fn usual(task: Task) -> Self {
        let (segments, batch) = match task {
            Task::Classify | Task::Detect => (0, 1),
            Task::Segment => (Superpixels::OF_THINGS, 16),
            Task::Group => (Superpixels::OF_THINGS, 8),
            Task::Depth => (100, 1),
            Task::Normals => (200, 1),
        };
        let pairs = match task {
            Task::Depth | Task::Normals => 200,
            _ => 0,
        };
        Self {
            task,
            segments,
            pairs,
            batch,
            is_blank: false,
        }
    }

    /// Parses a text like `depth` or `depth,segments=40,pairs=60,blank`.
    ///
    /// # Errors
    /// A sentence, if the task or the setting is unknown or a number is invalid.
    pub fn parse(text: &str) -> Result<Self, String> {
        let mut parts = text.split(',').map(str::trim);
        let name = parts.next().unwrap_or_default();
        let names = || Task::ALL.map(Task::name).join(", ");
        let task =
            Task::named(name).ok_or_else(|| format!("a task is needed; use {}, each", names()))?;
        let mut chain = Self::usual(task);
        for part in parts {
            chain.set(part)?;
        }
        Ok(chain)
    }

    fn set(&mut self, part: &str) -> Result<(), String> {
        if part == "blank" {
            self.is_blank = true;
            return Ok(());
        }
        let (name, value) = part.split_once('=').unwrap_or((part, ""));
        let usual = Self::usual(self.task);
        let (field, is_known) = match name {
            "segments" => (&mut self.segments, usual.segments > 0),
            "pairs" => (&mut self.pairs, usual.pairs > 0),
            "batch" => {
                let is_known = usual.batch > 1 || self.task == Task::Classify;
                (&mut self.batch, is_known)
            }
            _ => (&mut self.segments, false),
        };
        if !is_known {
            let task = self.task.name();
            return Err(format!("{task} has no setting `{name}`"));
        }
        let number = value
            .parse()
            .ok()
            .filter(|count| (1..=MOST).contains(count));
        *field = number.ok_or_else(|| {
            format!("{name} needs a whole number from 1 to {MOST}, such as {name}=40")
        })?;
        Ok(())
    }

    /// Returns the name, which [`TaskChain::parse`] reads. Default settings are left out.
    pub fn name(&self) -> String {
        let usual = Self::usual(self.task);
        let mut parts = vec![self.task.name().to_owned()];
        for (setting, value, usual) in [
            ("segments", self.segments, usual.segments),
            ("pairs", self.pairs, usual.pairs),
            ("batch", self.batch, usual.batch),
        ] {
            if value != usual {
                parts.push(format!("{setting}={value}"));
            }
        }
        if self.is_blank {
            parts.push("blank".to_owned());
        }
        parts.join(",")
    }

    /// Describes the task in one line.
    pub const fn about(&self) -> &'static str {
        match self.task {
            Task::Classify => "one class from a list",
            Task::Detect => "boxes by repeated grid search",
            Task::Segment => "a class for each superpixel",
            Task::Group => "superpixels that belong to one thing",
            Task::Depth => "depth by comparing superpixel pairs",
            Task::Normals => "normals by comparing superpixel pairs",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_lead_back() {
        for name in [
            "classify",
            "classify,batch=100",
            "detect",
            "segment,batch=4",
            "group,segments=50",
            "depth,segments=40,pairs=60",
            "normals,blank",
        ] {
            assert_eq!(TaskChain::parse(name).unwrap().name(), name);
        }
        for task in Task::ALL {
            assert_eq!(Task::named(task.noun()), Some(task));
        }
        let usual = TaskChain::parse("depth, segments=100").unwrap();
        assert_eq!(usual, TaskChain::usual(Task::Depth));
    }

    #[test]
    fn what_is_wrong_is_said() {
        for (text, part) in [
            ("", "classify, detect"),
            ("dept", "a task is needed"),
            ("depth,pairs=0", "pairs=40"),
            ("depth,pairs", "whole number"),
            ("detect,pairs=3", "detect has no setting `pairs`"),
            ("group,colour=red", "no setting `colour`"),
        ] {
            let error = TaskChain::parse(text).unwrap_err();
            assert!(error.contains(part), "{text}: {error}");
        }
    }
}
