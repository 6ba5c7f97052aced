//! Reads tables of models: the built-in table, the user's tables, and tables next to the logs.

use std::io;
use std::path::Path;

use super::Request;
use reader::Candidate;
use reader::csv_columns;
use record::catalog::{Catalog, FILE, is_table, read};
use record::{Problem, Source};

/// Format name of tables of models in the list of sources.
const FORMAT: &str = "models";

/// Reads the tables of models. Returns the catalog, and the sources of all tables except the
/// built-in one. Removes the tables from `files`.
pub fn catalog(request: &Request, files: &mut Vec<Candidate>) -> (Catalog, Vec<Source>) {
    let mut catalog = Catalog::shipped();
    let is_beside = |file: &mut Candidate| file.name() == FILE && is_table(&csv_columns(file));
    let beside: Vec<Candidate> = files.extract_if(.., is_beside).collect();
    let beside = beside.iter().map(|file| file.path.as_path());
    let users = request.models.iter().map(AsRef::as_ref);
    let users = users.filter(|path: &&Path| path.exists());
    let tables: Vec<Source> = users
        .chain(beside)
        .map(|path| add(&mut catalog, path))
        .collect();
    for [one, other] in &request.joins.same {
        catalog.join(one, other);
    }
    (catalog, tables)
}

/// Adds a table. An error becomes a problem of its source.
fn add(catalog: &mut Catalog, path: &Path) -> Source {
    let mut source = Source {
        path: path.to_path_buf(),
        format: FORMAT,
        ..Source::default()
    };
    match reader::open(path) {
        Ok(file) => {
            let table = read(io::BufReader::new(file));
            source.rows = table.rows.len() as u64;
            let problem = |(line, what)| Problem::line(path, line, what);
            source.problems = table.problems.into_iter().map(problem).collect();
            catalog.add(table.rows);
        }
        Err(error) => {
            let what = format!("cannot be read: {error}");
            source.problems.push(Problem::file(path, what));
        }
    }
    source
}
