//! Lines at the edges of the screen: views, trail, status, keys.
//!
//! Each line is one row and starts with its most important item. On a narrow screen, the least
//! important items are dropped.

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
