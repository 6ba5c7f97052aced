//! Exams: generated questions with known answers, drawn by another part of the program.
//!
//! This crate plans and asks them like samples of a log. The examiner that draws them is registered
//! once at program start, because this crate must not depend on the generators.

use std::fmt::Debug;
use std::io;
use std::path::Path;
use std::sync::OnceLock;

use super::protocol::Protocol;
use super::sample::Sample;

/// A set of generated questions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ExamSet {
    /// Name of the set, as in `eyechart exam --set`.
    pub name: &'static str,
    /// Short description of its content.
    pub about: &'static str,
    /// Number of abilities in the set.
    pub abilities: usize,
    /// Usual number of questions per ability.
    pub each: usize,
}

/// Specification of an exam: a set and its size.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExamOrder {
    /// Name of the set, as in [`ExamSet::name`].
    pub set: String,
    /// Number of questions per ability.
    pub each: usize,
}

/// The questions of an exam. Equal orders give equal questions.
pub trait Exam: Debug + Send + Sync {
    /// Returns the protocol under which the questions are asked.
    fn protocol(&self) -> Protocol;

    /// Returns the samples, with their pictures in a folder ([`Exam::write`]).
    fn samples(&self, folder: &Path) -> Vec<Sample>;

    /// Returns sentences on the statistical precision that this number of questions gives.
    fn precision(&self) -> Vec<String>;

    /// Writes questions, pictures and the chance-level scores to a folder.
    ///
    /// # Errors
    /// The folder cannot be written, or contains other questions.
    fn write(&self, folder: &Path) -> io::Result<()>;
}

/// Source of exams, registered with [`register_exams`].
pub trait Examiner: Debug + Send + Sync {
    /// Returns the sets to choose from.
    fn sets(&self) -> Vec<ExamSet>;

    /// Draws the questions of an order; `None` if there is no such set.
    fn draw(&self, order: &ExamOrder) -> Option<Box<dyn Exam>>;
}

static EXAMINER: OnceLock<&'static dyn Examiner> = OnceLock::new();

/// Registers an examiner, whose sets become available. Only the first call has an effect.
pub fn register_exams(examiner: &'static dyn Examiner) {
    let _ = EXAMINER.set(examiner);
}

/// Returns the available sets; empty without an examiner.
pub fn exam_sets() -> Vec<ExamSet> {
    let sets = EXAMINER.get().map(|examiner| examiner.sets());
    sets.unwrap_or_default()
}

/// Draws the questions of an order; `None` if there is no such set.
pub(crate) fn draw_exam(order: &ExamOrder) -> Option<Box<dyn Exam>> {
    EXAMINER.get()?.draw(order)
}
