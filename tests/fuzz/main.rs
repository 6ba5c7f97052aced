//! Fuzz tests of all readers: no panic, bounded time and memory, and every problem names its file.
//!
//! A short run of each target is part of every test run. A long one:
//!
//! ```text
//! EYECHART_FUZZ_SECONDS=600 cargo test --release --test fuzz -- --nocapture
//!
//! # Number of cases.
//! EYECHART_FUZZ_CASES=3000 cargo test --release --test fuzz program -- --nocapture
//!
//! # Repeat one case.
//! EYECHART_FUZZ_FROM=1234 EYECHART_FUZZ_CASES=1 cargo test --release --test fuzz vlmevalkit
//! ```
//!
//! A case depends only on its target and number. Cases run in a separate process, so that a stack
//! overflow or excessive memory also counts as a failure. Failed inputs are written below the
//! `target` folder. Inputs that failed earlier are in `tests/fixtures/fuzz`.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stderr,
    reason = "a test ends there"
)]

mod archive;
mod bounds;
mod child;
mod damage;
mod dice;
mod kept;
mod look;
#[path = "../support/memory.rs"]
mod memory;
mod program;
#[path = "../support/rows.rs"]
mod rows;
mod scenes;
mod target;
mod texts;

use bounds::fuzz;

macro_rules! targets {
    ($($name:ident),* $(,)?) => {$(
        #[test]
        fn $name() {
            fuzz(stringify!($name));
        }
    )*};
}

targets![
    own_format,
    csv_rows,
    published,
    parquet,
    arrow,
    ava_bench,
    vlmevalkit,
    workbooks,
    taskit,
    coco,
    ultralytics,
    annotations,
    answers,
    mmmu,
    mme,
    inspect_ai,
    lmms_eval,
    lm_eval,
    promptfoo,
    fiftyone,
    lighteval,
    helm,
    evalscope,
    every_eval_ever,
    opencompass,
    mixed,
    verdicts,
    config,
    keymap,
    theme,
    filters,
    pictures,
    program,
    kept,
];
