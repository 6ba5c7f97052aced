//! File names, which are not always valid text.

use std::ffi::OsStr;

/// Returns the bytes of a file name. On Unix these are the system's bytes;
/// valid text is UTF-8 on all systems.
pub fn bytes_of(name: &OsStr) -> &[u8] {
    #[cfg(unix)]
    {
        std::os::unix::ffi::OsStrExt::as_bytes(name)
    }
    #[cfg(windows)]
    {
        name.as_encoded_bytes()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_utf_8() {
        assert_eq!(bytes_of(OsStr::new("é.csv")), "é.csv".as_bytes());
    }
}
