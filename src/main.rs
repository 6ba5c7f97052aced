//! Parses the command line, runs the command, maps its outcome to an exit code.

use std::process::ExitCode;

fn main() -> ExitCode {
    eyechart::command::main()
}
