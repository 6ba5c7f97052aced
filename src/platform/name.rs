//! Names of files, which need not be text.

use std::ffi::OsStr;

/// The bytes of a name, as the system keeps them where it keeps bytes; text is UTF-8 everywhere.
#[must_use]
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
