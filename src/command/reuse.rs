//! Answers of earlier runs, which need not be paid for again.

use std::collections::BTreeMap;
use std::io::{Write, stderr};
use std::path::Path;

use super::Failure;
use super::input::Named;
use cli::Rerun;
use format::counted;
use rerun::{Connection, Plan, Shelf, Stored, age, newest};
use workspace::asked::journals;

/// Answers of earlier runs to the same questions; says that there are some, unless they are to be used.
pub fn offer(
    args: &Rerun,
    plan: &Plan,
    connection: &Connection,
) -> Result<BTreeMap<String, Stored>, Failure> {
    let out = args.out.canonicalize().unwrap_or_else(|_| args.out.clone());
    let parent = match out.parent() {
        Some(parent) if parent.as_os_str().is_empty() => Path::new("."),
        Some(parent) => parent,
        None => Path::new("/"),
    };
    let request = Named::of(&args.input)?.request;
    let mut folders = journals(&request, &[parent.to_path_buf()]);
    folders.retain(|folder| *folder != out);
    let model = &connection.endpoint;
    let stored =
        Shelf::new(folders).stored(plan, &model.address(), &|question| model.key(question));
    if !stored.is_empty() {
        let hint = if args.reuse {
            "used"
        } else {
            "--reuse takes them"
        };
        writeln!(
            stderr().lock(),
            "{} of {} were answered by earlier runs, {}: {hint}",
            stored.len(),
            counted(plan.len() as u64, "question"),
            age(newest(&stored)),
        )?;
    }
    Ok(stored)
}
