//! Simulates a full disk without special rights: limits the size of a program's files.

use std::process::Command;

/// Wraps a command so that its files may not exceed `bytes`. Some systems count whole kibibytes;
/// the limit is then rounded up.
pub fn limited(bytes: u64, inner: &Command) -> Command {
    let script = if cfg!(target_os = "linux") {
        format!("trap '' XFSZ; exec prlimit --fsize={bytes}:{bytes} \"$0\" \"$@\"")
    } else {
        let kib = bytes.div_ceil(1024);
        format!("trap '' XFSZ; ulimit -f {kib}; exec \"$0\" \"$@\"")
    };
    let mut outer = Command::new("bash");
    outer
        .args(["-c", &script])
        .arg(inner.get_program())
        .args(inner.get_args());
    for (name, value) in inner.get_envs() {
        match value {
            Some(value) => outer.env(name, value),
            None => outer.env_remove(name),
        };
    }
    if let Some(folder) = inner.get_current_dir() {
        outer.current_dir(folder);
    }
    outer
}

/// `count` evenly spread positions in a file of this length, in order.
pub fn positions(count: usize, length: u64) -> impl Iterator<Item = u64> {
    let count = count as u64;
    (1..=count).map(move |at| (length * at / (count + 1)).max(1))
}
