//! What is loaded now: the table, filters over it, and plain rows and pictures for display.
//!
//! Knows neither ratatui nor stdout nor endpoints.

pub mod export;
pub mod filter;
pub mod load;
pub mod page;
pub mod picture;
