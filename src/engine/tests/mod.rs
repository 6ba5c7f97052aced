//! Tests queries on the fixtures.

mod commands;
mod large;
mod scopes;
mod stopped;

use std::ops::ControlFlow;
use std::path::Path;
use std::sync::{Arc, OnceLock};

use record::Table;
use workspace::load::{Request, load};

use super::{Memory, Scope};

/// Returns a request that opens some fixture folders.
fn request(folders: &[&str]) -> Request {
    let root = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."));
    Request {
        paths: folders.iter().map(|folder| root.join(folder)).collect(),
        ..Request::default()
    }
}

fn read(folders: &[&str]) -> Table {
    load(&request(folders), &mut |_| ControlFlow::Continue(()))
}

/// Opens two benchmarks.
fn opened() -> Request {
    request(&["tests/fixtures/ava_bench", "tests/fixtures/vlmevalkit"])
}

fn table() -> &'static Table {
    static TABLE: OnceLock<Table> = OnceLock::new();
    TABLE.get_or_init(|| load(&opened(), &mut |_| ControlFlow::Continue(())))
}

fn memory() -> Memory {
    Memory::new(table().clone(), Arc::default())
}

fn scope(filter: &str) -> Scope {
    Scope {
        filter: filter.to_owned(),
        ..Scope::default()
    }
}
