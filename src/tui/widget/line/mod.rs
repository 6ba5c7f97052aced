//! Lines at the edges of the screen: views, trail, status, keys.
//!
//! Each is one row, starts with the most important item, and drops the least important when
//! narrow.

mod gauge;
mod keys;
mod status;
mod trail;
mod views;

pub use self::gauge::{bar, gauge};
pub use self::keys::{KeyHint, KeyLine};
pub use self::status::{Piece, StatusLine};
pub use self::trail::Trail;
pub use self::views::{ViewLine, ViewTab};
