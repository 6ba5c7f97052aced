//! `eyechart doctor`: reports what this terminal can display and why, and which config files are
//! used; with `--endpoint`, what a model server supports.

mod endpoint;
mod environment;
mod files;
mod multiplexer;
mod pictures;

use std::io::{IsTerminal, Write, stdout};

use super::{Failure, Status, output};
use crate::cli::{Doctor, Format};
use base::format::visible;
use report::{Finding, Findings};

/// Collects all findings and prints them.
pub fn run(args: &Doctor) -> Result<Status, Failure> {
    let variable = |name: &str| std::env::var(name).unwrap_or_default();
    let mut found = vec![Finding::new("version", version())];
    if let Some(named) = &args.endpoint {
        found.extend(endpoint::findings(args, named)?);
    } else {
        found.extend(environment::findings(variable));
        found.extend(multiplexer::findings(variable));
        found.extend(pictures::findings());
        found.extend(files::findings(variable));
    }
    let findings = Findings(found);
    if args.format == Format::Table && stdout().is_terminal() {
        write_for_people(&findings, &mut stdout().lock())?;
    } else {
        output::print(&findings, args.format)?;
    }
    Ok(Status::Done)
}

fn version() -> String {
    let system = (std::env::consts::OS, std::env::consts::ARCH);
    format!(
        "eyechart {} on {} {}",
        env!("CARGO_PKG_VERSION"),
        system.0,
        system.1
    )
}

/// Prints one finding per line, with advice below it. Cuts nothing, whatever the width.
fn write_for_people(findings: &Findings, out: &mut dyn Write) -> Result<(), Failure> {
    for found in &findings.0 {
        writeln!(out, "{:<12} {}", found.what, visible(&found.value))?;
        if !found.better.is_empty() {
            writeln!(out, "{:<12} → {}", "", visible(&found.better))?;
        }
    }
    Ok(())
}
