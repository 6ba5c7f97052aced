//! Eyechart: inspect benchmark runs of vision models in the terminal.
//!
//! # One way through the house
//! ```text
//!  files ─ reader ─▶ record table ─ scorer ─▶ scores ─ metric/analysis ─▶ engine ─▶ tui | report
//! ```
//! Logs come in at one door, become one [`record::Table`] of one schema, and are never looked at again
//! as files, but for the text of a record that is fetched from its place when it is shown. Scores are
//! computed once, when a record comes in; an `engine` answers queries with `analysis`; the two front ends
//! ask the same queries.
//!
//! # Rooms, lowest first
//! Each room is a crate in the folder of its name and may use rooms that come before it in this list. Its
//! `Cargo.toml` says which rooms and external crates it uses, and the compiler lets nothing else in.
//! `tests/layers.rs` compares these files with the list, and names the rooms that may use fenced crates such as
//! `ratatui`, `reqwest`, `clap` and `image`. The tests of a room may use any room.
//!
//! The core knows no endpoint of a model, no terminal, no command line, and draws no benchmark:
//!
//! - `base`: what everything rests on: systems, limits, numbers and text, files, settings, the manual.
//! - `record`: the one schema of all logs; the table of records; benchmarks, models and verdicts.
//! - `scorer`: reads an answer out of a response and scores it.
//! - `store`: logs that lie elsewhere: lists addresses, copies what lies there; `ClickHouse`; every HTTP client.
//! - `media`: finds, decodes, edits, annotates and caches pictures.
//! - `reader`: log files in, records and problems out; one file or folder per format; Parquet and Arrow.
//! - `analysis`: statistics; scores, ranks, subgroups, comparisons, reliability, label audit.
//! - `workspace`: what is open: loading, following, filters, cached answers.
//! - `engine`: answers queries, from the in-memory table.
//!
//! The wings stand on it:
//!
//! - `ask`: asks models again under a protocol, with a journal; the client of endpoints.
//! - `report`: answers as tables, JSON, CSV, Markdown and HTML.
//! - `exam`: makes benchmark items with known answers; small encoders that answer without an endpoint.
//! - `tui`: the terminal UI, its widgets, and pictures in terminals.
//! - `command`: the command line; one file per sub-command.
//!
//! # Glossary
//! | word | meaning |
//! |---|---|
//! | ability | what a group of questions tests, for example `counting`; ranks are per ability |
//! | address | where logs lie in a store: `s3://`, `gs://`, `az://`, `hf://`, `https://`, `clickhouse://` |
//! | aspect | the ability of a `GePBench` question |
//! | base, candidate | the side of a gate that must not get worse, and the one that may replace it |
//! | baseline | a reference that does not compete: chance, blank pictures, a specialist, people |
//! | benchmark | a set of items with abilities and a scoring rule for each |
//! | chain | a protocol of several steps whose later questions may depend on earlier answers |
//! | cluster | samples that are not independent, usually because they share an image; resampled together |
//! | code | a vector per sample, from its picture or the user's embeddings, that is close for samples that look alike |
//! | column | one of several runs that are asked side by side, on the same samples |
//! | column map | the user's assignment of a table's columns to the fields of a record |
//! | common samples | the samples that all ranked models of an ability answered, over which they are ranked |
//! | condition | what differs between askings of the same sample: rotation, repeat, prompt, boxes, noise |
//! | control | a row that shows what a score is worth, such as chance; shown, never ranked |
//! | coverage | the share of the samples that most models answered which the common samples must reach |
//! | database | tables of a `ClickHouse` server that hold a published data set |
//! | dialect | the API of an endpoint: `OpenAI`'s or Anthropic's |
//! | direction | whether higher or lower values of a metric are better |
//! | document | an answer that can be written in every output format |
//! | endpoint | a server that answers requests for a model |
//! | engine | computes the answers to queries, for example from the in-memory table |
//! | exam | generated items for the fourteen abilities of AVA-Bench; also the command that asks a model such a set |
//! | excluded | without a rank for lack of answers: its removal enlarges the common samples most |
//! | filter | an expression that selects predictions, for example `ability:counting score<0.5` |
//! | fingerprint | a model's ranks over all abilities, side by side |
//! | flip | a sample that is right in one condition or rerun and wrong in another |
//! | gate | the decision whether a candidate is worse than a base by more than a margin |
//! | generation | the identity of a table's content; row numbers mean nothing in another generation |
//! | harness | the program that ran a benchmark and wrote the log |
//! | head | the trained part of an encoder that answers one ability |
//! | headline | the one metric of an ability that ranks |
//! | invalid | an answer that could not be read out of a response |
//! | item | one question about one picture, with its target and condition |
//! | journal | the append-only file of a rerun, from which it resumes |
//! | judgement | a prediction's metric, score and right or wrong, with the threshold that decides |
//! | key | what identifies an item or a prediction in any generation; also the hash of a rerun's question |
//! | lens | the filter and the scoring rules under which predictions are looked at |
//! | log | one file, or the files that belong together, with one run's answers |
//! | manifest | what a published data set says of its files: length, hash and predictions of each |
//! | margin | the loss of a score that a gate tolerates |
//! | metric | how scores of single samples become one number, for example accuracy; also its name |
//! | model | what answered, under the name in the log |
//! | normalise | to turn a foreign log's row into a record |
//! | origin | where a score comes from: samples, a paper, or the harness |
//! | prediction | one model's response to one item, and the answer read out of it |
//! | problem | a bad row or file, with its place |
//! | protocol | how a rerun changes the question: vanilla, rotational, blind, boxes, crop, prompt, repeat, effort, follow, self-check, votes, chain |
//! | published data set | what `publish` writes: rows in Parquet, and a numbered manifest that says which files count |
//! | published | printed in a paper or a leaderboard, without samples |
//! | query | one question to the data, which a command or a screen asks |
//! | rank set | the ranks that a model may have; the sets of all models of an ability hold at once with 95 % |
//! | record | one prediction as a reader found it |
//! | rerun | asking a model again what a log asked |
//! | response | the raw text of a model |
//! | rule | how a response is read and scored; a property of the prediction |
//! | run | one execution of a harness with one model and fixed settings |
//! | sample | one question of a data set; its conditions share it |
//! | score | the number that one sample gets |
//! | scoring | whose rules count: the harness's, or Eyechart's strict ones |
//! | session | columns that are counted, asked and compared together |
//! | shard | one of N parts of a plan, so that N machines ask it side by side |
//! | slice | a subgroup over one or two tags that deviates from the rest of its ability |
//! | source | a log that was opened, as listed under `sources` |
//! | split | train or test, easy or hard: a part of a data set |
//! | step | one question of a protocol |
//! | store | what lies behind an address: a bucket, a data set on a hub, a web server |
//! | subgroup | the samples with one value, or bin of values, of a tag |
//! | superseded | replaced by another run of the same experiment |
//! | table | all records in typed columns |
//! | tag | anything to split by: data set, box area, depth |
//! | target | the annotated answer |
//! | threshold | the score from which a graded answer counts as right |
//! | tie group | models that are not separable from the best of the group; groups may overlap |
//! | twin | a sample with its picture mirrored or flipped, so that another answer is right |
//! | unit | the files that a reader reads together |
//! | variant | one way of asking, as a file of variants says it |
//! | verdict | a person's judgement of an annotation: ok, wrong label, ambiguous, bad image |

// Tests compare exact numbers and cast small ones.
#![cfg_attr(test, allow(clippy::pedantic, clippy::complexity, clippy::perf))]

pub use ::analysis;
pub use ::ask;
pub use ::base;
pub use ::command;
pub use ::engine;
#[cfg(feature = "exam")]
pub use ::exam;
pub use ::media;
pub use ::reader;
pub use ::record;
pub use ::report;
pub use ::scorer;
pub use ::store;
pub use ::tui;
pub use ::workspace;
