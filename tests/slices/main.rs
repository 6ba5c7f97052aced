//! Tests the subgroup search on random logs: planted failures are found, and chance differences are
//! not reported.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test ends there"
)]

mod by_chance;
mod planted;

use std::fs;
use std::ops::ControlFlow;

use eyechart::record::Table;
use eyechart::workspace::load::{Request, load};
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};

struct Dice(Xoshiro256PlusPlus);

impl Dice {
    fn new(seed: u64) -> Self {
        Self(Xoshiro256PlusPlus::seed_from_u64(seed))
    }

    fn below(&mut self, count: u32) -> u32 {
        self.0.next_u32() % count
    }

    fn share(&mut self) -> f64 {
        f64::from(self.0.next_u32()) / f64::from(u32::MAX)
    }
}

/// Opens a log with these lines.
fn opened(lines: &str) -> Table {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("m.eyechart.jsonl"), lines).unwrap();
    let request = Request {
        paths: vec![folder.path().to_path_buf()],
        ..Request::default()
    };
    load(&request, &mut |_| ControlFlow::Continue(()))
}
