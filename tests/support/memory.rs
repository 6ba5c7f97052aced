//! Measures the memory of a process.

use std::process::Child;

/// Peak memory of a process so far, in bytes; `None` if the system does not report it or the
/// process has ended.
pub fn peak(child: &Child) -> Option<u64> {
    peak_of(child.id())
}

/// As [`peak`], for a process id.
pub fn peak_of(process: u32) -> Option<u64> {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let line = status
        .lines()
        .find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kilobytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kilobytes << 10)
}
