//! Eyechart inspects benchmark runs of vision models in the terminal.
//!
//! # Data flow
//! ```text
//!  files ─ reader ─▶ record table ─ scorer ─▶ scores ─ metric/analysis ─▶ engine ─▶ tui | report
//! ```
//! Readers convert all logs to one [`record::Table`] with one schema. After loading, a log is
//! opened again only to read the texts of its records. Each record is scored once, when it is
//! loaded. An `engine` answers queries with `analysis`; both front ends use the same queries.
//!
//! # Rooms, lowest first
//! Each crate has a folder of the same name and may use only crates that come before it in this
//! list. Its `Cargo.toml` lists the crates that it uses, so the compiler rejects all others.
//! `tests/layers.rs` compares these files with the list, and restricts external crates such as
//! `ratatui`, `reqwest`, `clap` and `image` to some crates. The tests of a crate may use any crate.
//!
//! Lower layers, independent of model endpoints, terminals, the command line and generated
//! benchmarks:
//!
//! - `base`: foundation: operating systems, limits, numbers and text, files, settings, the manual.
//! - `record`: the schema of all logs; the table of records; benchmarks, models and verdicts.
//! - `scorer`: reads an answer out of a response and scores it.
//! - `store`: remote logs: lists addresses, downloads objects; `ClickHouse`; every HTTP client.
//! - `media`: finds, decodes, edits, annotates and caches pictures.
//! - `reader`: log files in, records and problems out; one file or folder per format; Parquet and Arrow.
//! - `analysis`: statistics; scores, ranks, subgroups, comparisons, reliability, label audit.
//! - `workspace`: the open data: loading, following, filters, cached answers.
//! - `engine`: answers queries, from the in-memory table.
//!
//! Upper layers:
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
//! | address | location of logs in a store: `s3://`, `gs://`, `az://`, `hf://`, `https://`, `clickhouse://` |
//! | aspect | the ability of a `GePBench` question |
//! | base, candidate | the two sides of a gate: the current one, and the one that may replace it |
//! | baseline | a reference without a rank: chance, blank pictures, a specialist, people |
//! | benchmark | a set of items with abilities and a scoring rule for each |
//! | chain | a protocol of several steps whose later questions may depend on earlier answers |
//! | cluster | samples that are not independent, usually because they share an image; resampled together |
//! | code | a vector per sample, from its picture or the user's embeddings, that is close for samples that look alike |
//! | column | one of several runs that are asked side by side, on the same samples |
//! | column map | the user's assignment of a table's columns to the fields of a record |
//! | common samples | the samples that all ranked models of an ability answered, over which they are ranked |
//! | condition | a difference between requests for the same sample: rotation, repeat, prompt, boxes, noise |
//! | control | a sample that is right in the log and asked again for comparison; in an exam, a baseline |
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
//! | generation | the identity of a table's content; row numbers are valid in one generation only |
//! | harness | the program that ran a benchmark and wrote the log |
//! | head | the trained part of an encoder that answers one ability |
//! | headline | the one metric of an ability that ranks |
//! | invalid | an answer that could not be read out of a response |
//! | item | one question about one picture, with its target and condition |
//! | journal | the append-only file of a rerun, from which it resumes |
//! | judgement | a prediction's metric, score and right or wrong, with the threshold that decides |
//! | key | the identity of an item or a prediction in any generation; also the hash of a rerun's question |
//! | lens | the filter and the scoring rules of a view |
//! | log | one file, or the files that belong together, with one run's answers |
//! | manifest | the list of a published data set's files: length, hash and predictions of each |
//! | margin | the loss of a score that a gate tolerates |
//! | metric | how scores of single samples become one number, for example accuracy; also its name |
//! | model | the model that answered, under its name in the log |
//! | normalise | to turn a foreign log's row into a record |
//! | origin | the source of a score: samples, a paper, or the harness |
//! | prediction | one model's response to one item, and the answer read out of it |
//! | problem | a bad row or file, with its place |
//! | protocol | how a rerun changes the question: vanilla, rotational, blind, boxes, crop, prompt, repeat, effort, follow, self-check, votes, chain |
//! | published data set | the output of `publish`: rows in Parquet, and a numbered manifest of the valid files |
//! | published | printed in a paper or a leaderboard, without samples |
//! | query | a request for results from the data, by a command or a screen |
//! | rank set | the ranks that a model can have; the sets of all models of an ability hold jointly with 95 % confidence |
//! | record | one prediction as read from a log |
//! | rerun | a run that asks a model the questions of a log again |
//! | response | the raw text of a model |
//! | rule | the way in which a response is read and scored; a property of the prediction |
//! | run | one execution of a harness with one model and fixed settings |
//! | sample | one question of a data set; its conditions share it |
//! | score | the number that one sample gets |
//! | scoring | the rules in use: the harness's, or Eyechart's strict ones |
//! | session | columns that are planned, asked and compared together |
//! | shard | one of N parts of a plan, so that N machines run it in parallel |
//! | slice | a subgroup over one or two tags that deviates from the rest of its ability |
//! | source | a log that was opened, as listed under `sources` |
//! | split | train or test, easy or hard: a part of a data set |
//! | step | one question of a protocol |
//! | store | a remote source of logs: a bucket, a data set on a hub, a web server |
//! | subgroup | the samples with one value, or bin of values, of a tag |
//! | superseded | replaced by another run of the same experiment |
//! | table | all records in typed columns |
//! | tag | anything to split by: data set, box area, depth |
//! | target | the annotated answer |
//! | threshold | the score from which a graded answer counts as right |
//! | tie group | models that are not separable from the best of the group; groups may overlap |
//! | twin | a sample with its picture mirrored or flipped, so that another answer is right |
//! | unit | the files that a reader reads together |
//! | variant | one entry of a variants file: settings of a rerun that differ from the command line |
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
