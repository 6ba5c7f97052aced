//! Converts a panic in polars to an error about the file that caused it.
//!
//! For some damaged files, polars panics instead of returning an error. Only calls of polars are
//! guarded, and only on the calling thread. Panics in our own code are not caught.

use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind, set_hook, take_hook};
use std::sync::Once;

thread_local! {
    static CONTAINED: Cell<bool> = const { Cell::new(false) };
}

use super::Error;

/// Calls `decode` and catches panics. After an error, values that `decode` changed must not be
/// used.
///
/// # Errors
/// If `decode` fails or panics. The message of a panic becomes the error.
pub fn contain<T>(decode: impl FnOnce() -> Result<T, Error>) -> Result<T, Error> {
    static SILENCE: Once = Once::new();
    SILENCE.call_once(|| {
        let told = take_hook();
        set_hook(Box::new(move |info| {
            if !CONTAINED.get() {
                told(info);
            }
        }));
    });
    CONTAINED.set(true);
    let outcome = catch_unwind(AssertUnwindSafe(decode));
    CONTAINED.set(false);
    outcome.unwrap_or_else(|panic| {
        let text = panic.downcast_ref::<String>().map(String::as_str);
        let text = text.or_else(|| panic.downcast_ref::<&str>().copied());
        Err(Error::Panic(text.unwrap_or("no reason given").to_owned()))
    })
}

#[cfg(test)]
mod tests {
    use super::contain;

    #[test]
    fn a_panic_becomes_an_error_and_the_next_call_works() {
        let bytes: [u8; 0] = [];
        assert!(contain(|| Ok(bytes[..].split_at(4).0.len())).is_err());
        let told = contain::<()>(|| panic!("{}", "words"));
        assert_eq!(told.unwrap_err().to_string(), "words");
        assert_eq!(contain(|| Ok(3)).unwrap(), 3);
    }
}
