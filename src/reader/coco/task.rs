//! Tasks of result files: boxes, masks, keypoints or captions.

use super::Annotations;
use record::ShapeKind;

/// Task of a result file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Task {
    /// Detection of objects with this kind of shape.
    Shapes(ShapeKind),
    /// Captions of pictures.
    Captions,
}

impl Task {
    const ALL: [Self; 4] = [
        Self::Shapes(ShapeKind::Boxes),
        Self::Shapes(ShapeKind::Masks),
        Self::Shapes(ShapeKind::Keypoints),
        Self::Captions,
    ];

    /// Returns the tasks whose fields are present in a row. `has` is in the order of [`Self::ALL`].
    pub fn present(has: [bool; 4]) -> impl Iterator<Item = Self> {
        let tasks = Self::ALL.into_iter().zip(has);
        tasks.filter_map(|(task, has)| has.then_some(task))
    }

    /// Returns the name of the ability.
    pub const fn ability(self) -> &'static str {
        match self {
            Self::Shapes(ShapeKind::Boxes) => "detection",
            Self::Shapes(ShapeKind::Masks) => "instance_segmentation",
            Self::Shapes(ShapeKind::Keypoints) => "keypoints",
            Self::Shapes(ShapeKind::Segments) => "panoptic_segmentation",
            Self::Captions => "captioning",
        }
    }

    /// Returns the name of the field that rows of this task have.
    pub const fn field(self) -> &'static str {
        match self {
            Self::Shapes(ShapeKind::Boxes) => "bbox",
            Self::Shapes(ShapeKind::Masks) => "segmentation",
            Self::Shapes(ShapeKind::Keypoints) => "keypoints",
            Self::Shapes(ShapeKind::Segments) => "segments_info",
            Self::Captions => "caption",
        }
    }

    /// True if the annotations can be used to score this task.
    pub const fn fits(self, annotations: &Annotations) -> bool {
        let count = match self {
            Self::Shapes(ShapeKind::Boxes) => annotations.boxes,
            Self::Shapes(ShapeKind::Masks) => annotations.masks,
            Self::Shapes(ShapeKind::Keypoints) => annotations.keypoints,
            Self::Captions => annotations.captions,
            // Panoptic results are read by another module.
            Self::Shapes(ShapeKind::Segments) => 0,
        };
        count > 0
    }

    /// Returns the tasks whose fields occur in the start of a file. Without such fields, returns
    /// the task suggested by the file's name.
    pub fn of_text(text: &str, name: &str) -> Vec<Self> {
        let holds = |task: &Self| text.contains(&format!("\"{}\"", task.field()));
        let found: Vec<Self> = Self::ALL.into_iter().filter(holds).collect();
        if found.is_empty() {
            vec![Self::of_name(name)]
        } else {
            found
        }
    }

    /// Returns the task that a file name suggests, for files without rows.
    pub fn of_name(name: &str) -> Self {
        let name = name.to_lowercase();
        Self::Shapes(if name.contains("segm") {
            ShapeKind::Masks
        } else if name.contains("keypoint") {
            ShapeKind::Keypoints
        } else {
            ShapeKind::Boxes
        })
    }
}

/// Number of rows, in total and by task.
#[derive(Clone, Debug, Default)]
pub struct TaskCounts {
    rows: u64,
    of_task: [u64; 4],
}

impl TaskCounts {
    /// Counts a row that has the fields of the given tasks.
    pub fn add(&mut self, tasks: impl Iterator<Item = Task>) {
        self.rows += 1;
        for task in tasks {
            let mut counts = Task::ALL.into_iter().zip(&mut self.of_task);
            if let Some((_, count)) = counts.find(|(known, _)| *known == task) {
                *count += 1;
            }
        }
    }

    /// Returns the tasks whose field at least half of the rows have.
    pub fn tasks(&self) -> impl Iterator<Item = Task> + '_ {
        let tasks = Task::ALL.into_iter().zip(self.of_task);
        let most = tasks.filter(|(_, count)| *count > 0 && count * 2 >= self.rows);
        most.map(|(task, _)| task)
    }
}
