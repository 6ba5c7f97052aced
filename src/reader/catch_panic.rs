//! Limits a panic of an external crate to the file that caused it.
//!
//! The `parquet` crate panics on some damaged files where it should return an error. Only calls of such a crate are
//! wrapped, so that bugs of our own still panic.

use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind, set_hook, take_hook};
use std::sync::Once;

thread_local! {
    static CONTAINED: Cell<bool> = const { Cell::new(false) };
}

/// Calls `decode`; its inputs must not be used after an error.
///
/// # Errors
/// It panicked: the panic's message.
pub fn catch_panic<T>(decode: impl FnOnce() -> T) -> Result<T, String> {
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
    outcome.map_err(|panic| {
        let text = panic.downcast_ref::<String>().map(String::as_str);
        let text = text.or_else(|| panic.downcast_ref::<&str>().copied());
        text.unwrap_or("no reason given").to_owned()
    })
}

#[cfg(test)]
mod tests {
    use super::catch_panic;

    #[test]
    fn a_panic_becomes_an_error_and_the_next_call_works() {
        let bytes: [u8; 0] = [];
        assert!(catch_panic(|| bytes[..].split_at(4).0.len()).is_err());
        assert_eq!(
            catch_panic(|| panic!("{}", "words")),
            Err::<(), _>("words".to_owned())
        );
        assert_eq!(catch_panic(|| 3), Ok(3));
    }
}
