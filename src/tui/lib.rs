//! The terminal UI. Keys become [`Action`](action::Action)s, the app turns them into effects, and
//! screens draw widgets.
//!
//! One loop owns the state. It waits for a key or for the answer to a query, changes the state, and
//! draws once if something changed. Slow work is done by queries, which other threads answer.
//! Answers to outdated queries are dropped.

// Tests compare exact numbers and cast small numbers.
#![cfg_attr(test, allow(clippy::pedantic, clippy::complexity, clippy::perf))]

pub mod action;
mod answer_sources;
mod app;
mod change;
mod clipboard;
mod effect;
mod event_loop;
mod frame_output;
pub mod graphics;
mod input_parser;
pub mod keymap;
mod links;
mod listen;
mod memo;
mod message;
mod meter;
mod order;
mod picture;
#[cfg(test)]
mod picture_tests;
mod popup;
mod progress;
mod recent_models;
mod saved_views;
mod screen;
mod shared;
mod terminal;
#[cfg(test)]
mod tests;
mod view;
mod view_id;
pub mod widget;

pub use app::SessionOptions;
pub use event_loop::{Options, UiError, run};
