//! Opens logs once for many filters. This is faster than starting the program for each filter.

use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;

use eyechart::base::job::FOR_GOOD;
use eyechart::engine::{Engine as _, Memory, Scope};
use eyechart::record::Row;
use eyechart::workspace::load::{Request, load};

/// Opens a file or a folder of logs.
pub fn open(path: &Path) -> Memory {
    let request = Request {
        paths: vec![path.to_path_buf()],
        ..Request::default()
    };
    let table = load(&request, &mut |_| ControlFlow::Continue(()));
    Memory::new(table, Arc::default())
}

/// The predictions that a filter selects, in the order of `eyechart samples`.
pub fn selected(opened: &Memory, filter: &str) -> Vec<Row> {
    let scope = Scope {
        filter: filter.to_owned(),
        ..Scope::default()
    };
    let held = opened.rows(&scope).expect("a filter");
    held.selection(&FOR_GOOD).rows().map(Row).collect()
}
