//! Asks live models again: builds questions from logs, sends them, and keeps a journal so that
//! every run can be resumed.
//!
//! A [`SessionSpec`] is what command line and UI fill in; they print or draw the rest (`session`).
//! [`ReadyRun`] turns a [`RunSpec`] into a run, also for the exam (`driver`). A
//! [`Plan`] is samples times the [`Step`]s of a [`Protocol`]. A sample's questions form a
//! [`Chain`], where later ones may depend on earlier answers. Each [`Question`] is answered by a
//! [`Model`], judged ([`Kind`]) and written to the [`Journal`]. It ends as a record in Eyechart's
//! own format (`output`), so results can be analysed like any log.
//!
//! This crate draws nothing. A [`Model`] is anything that answers a question: an HTTP endpoint
//! ([`client`], the one place that knows wire formats) or a model in this process
//! ([`LocalModels`]).
//!
//! Modules import downwards only: `worker`, `session`, `driver`, `run`, `journal`, `plan`,
//! `protocol`, `chain` and `summary`, `question` and `model`, `sample` and `step`, `client`.

// Tests compare exact numbers and cast small ones.
#![cfg_attr(test, allow(clippy::pedantic, clippy::complexity, clippy::perf))]

mod against;
mod age;
mod alike;
pub mod answer_judge;
pub mod asked;
mod asking;
mod batch;
mod boxes;
mod budget;
mod chain;
mod changed;
pub mod client;
mod connect;
mod content;
mod crop;
mod direction;
mod doubt;
mod driver;
mod edited;
mod estimate;
mod exams;
mod figures;
mod item;
mod journal;
mod kind;
pub mod label_judge;
mod local;
mod local_servers;
mod logged;
mod marks;
mod model;
mod output;
mod picture_rules;
mod plan;
mod preview;
mod prompt;
mod protocol;
mod question;
mod question_facts;
mod reference_model;
mod run;
mod runtime;
mod sample;
mod session;
mod shard;
mod share;
mod spending;
mod spin;
mod step;
mod summary;
mod tally;
mod template;
mod twin;
mod unmovable;
mod until_clear;
mod variants;
pub mod worker;

pub use age::age;
pub use alike::are_fractions;
pub use asking::{Asking, MAX_TOKENS, Temperature};
pub use batch::{BatchSummary, FOLDER as BATCH};
pub use budget::Budget;

pub use chain::{
    Ask, AskPath, Chain, EachTask, Fold, JudgedAnswer, Outcome, ReferenceSource, RequestRange,
    SubQuestion, Task, TaskChain,
};
pub use connect::{
    ConnectError, ConnectOptions, Connection, ModelListError, asks_first, connect, is_address,
    model_named,
};
pub use content::{Move, MovedContent, TurnWords, moved};
pub use direction::TransformRefusal;
pub use doubt::SuspiciousCounts;
pub use driver::{
    Choice, OpenRun, ReadyRun, RerunError, RunLocation, RunOutput, RunSpec, protocol_of, together,
};
pub use edited::{PictureEdit, PictureEditError, QuestionEdit, QuestionEditError, TOP_LOGPROBS};
pub use estimate::Estimate;
pub use exams::{Exam, ExamOrder, ExamSet, Examiner, exam_sets, register_exams};
pub use figures::{Figure, Figures};
pub use item::{Failures, JournalEntry, StepResult};
pub use journal::{
    AttemptEntry, FILE as JOURNAL, Head, JoinSummary, Journal, JournalError, PreviousAnswer,
    PreviousRun, PreviousRuns, ProbeUsage, join, newest,
};
pub use kind::{AnswerGrade, Kind, judged_again};
pub use local::{LocalModels, SCHEME, local_model, local_models, register, registered_models};
pub use local_servers::{LocalServer, USUAL_PORTS, local_servers};
pub use logged::is_logged;
pub use model::Model;
pub use output::{FILE, write};
pub use picture_rules::PictureRules;
pub use plan::Plan;
pub use preview::{ChangedExample, ChangedWords};
pub use prompt::{Wording, wording};
pub use protocol::{Protocol, ProtocolError};
pub use question::{Question, Unaskable};
pub use reference_model::SPECIALIST;
pub use run::{Control, Event, OnEvent, RequestUsage, Run, RunResult, StopReason};
pub use runtime::blocking;
pub use sample::{LoggedAnswer, RotatedVersion, Sample};
pub use session::{
    Column, ColumnComparison, ComparedColumns, CountedColumn, CountedSession, FinishedColumn,
    FinishedRun, Headline, Progress, ResultList, SessionError, SessionResult, SessionSpec, Traffic,
    column_names, way_parts, with_class,
};
pub use shard::Shard;
pub use share::Share;
pub use spending::{Cost, Spending};
pub use spin::{Spin, Spins};
pub use step::{Change, Step};
pub use summary::Summary;
pub use tally::{LogComparison, StepScore};
pub use template::{Template, TemplateError};
pub use until_clear::{AbilityGap, UntilClear};
pub use variants::{Variant, VariantTemperature, VariantsError, read_variants};
