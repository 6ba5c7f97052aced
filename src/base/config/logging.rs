//! The program's debug log, written to a file and never to the screen.

use std::io;
use std::path::Path;
use std::sync::Mutex;

use tracing_subscriber::EnvFilter;

/// Environment variable with the log file's path.
const FILE: &str = "EYECHART_LOG";
/// Environment variable with the log level, for example `debug`.
const LEVEL: &str = "EYECHART_LOG_LEVEL";

/// Starts logging if `EYECHART_LOG` names a file.
///
/// # Errors
/// The file cannot be written.
pub fn start_logging() -> io::Result<()> {
    let Some(path) = std::env::var_os(FILE).filter(|path| !path.is_empty()) else {
        return Ok(());
    };
    let file = crate::file::open_program_log(Path::new(&path))?;
    let level = EnvFilter::try_from_env(LEVEL).unwrap_or_else(|_| EnvFilter::new("info"));
    // If logging was already started in this process, the first file stays in use.
    let _ = tracing_subscriber::fmt()
        .with_env_filter(level)
        .with_ansi(false)
        .with_writer(Mutex::new(file))
        .try_init();
    Ok(())
}
