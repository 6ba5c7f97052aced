//! Converts a panic of polars to an error for the file that caused it.
//!
//! polars panics on some damaged files instead of returning an error. Only calls into polars are
//! guarded, on the calling thread; panics of our own code still propagate.

use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind, set_hook, take_hook};
use std::sync::Once;

thread_local! {
    static CONTAINED: Cell<bool> = const { Cell::new(false) };
}

use super::Error;

/// Calls `decode` and catches panics. After an error, do not use the values it worked on.
///
/// # Errors
/// If `decode` fails or panics; a panic's message becomes the error.
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
