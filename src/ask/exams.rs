//! Exams: generated questions with known answers, which another part of the program draws.
//!
//! The crate plans and asks them like samples of a log. The examiner that draws them is registered
//! once at the program's start, because this crate must not depend on the generators.

use std::fmt::Debug;
use std::io;
use std::path::Path;
use std::sync::OnceLock;

use super::protocol::Protocol;
use super::sample::Sample;

/// A set of generated questions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ExamSet {
    /// Its name, as in `eyechart exam --set`.
    pub name: &'static str,
    /// Its content, in a few words.
    pub about: &'static str,
    /// Number of its abilities.
    pub abilities: usize,
    /// Usual number of questions of each ability.
    pub each: usize,
}

/// An order of an exam: a set and its size.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExamOrder {
    /// Name of the set.
    pub set: String,
    /// Number of questions of each ability.
    pub each: usize,
}

/// The questions of an exam. The same order always has the same questions.
pub trait Exam: Debug + Send + Sync {
    /// Returns the protocol under which the questions are asked.
    fn protocol(&self) -> Protocol;

    /// Returns the samples, with their pictures in a folder ([`Exam::write`]).
    fn samples(&self, folder: &Path) -> Vec<Sample>;

    /// Returns sentences about the precision that this number of questions gives.
    fn precision(&self) -> Vec<String>;

    /// Writes questions, pictures and the scores of chance to a folder.
    ///
    /// # Errors
    /// The folder cannot be written, or contains other questions.
    fn write(&self, folder: &Path) -> io::Result<()>;
}

/// Draws exams.
pub trait Examiner: Debug + Send + Sync {
    /// Returns the sets to choose from.
    fn sets(&self) -> Vec<ExamSet>;

    /// Draws the questions of an order; `None` if there is no such set.
    fn draw(&self, order: &ExamOrder) -> Option<Box<dyn Exam>>;
}

static EXAMINER: OnceLock<&'static dyn Examiner> = OnceLock::new();

/// Makes the sets of an examiner available. Only the first call counts.
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
