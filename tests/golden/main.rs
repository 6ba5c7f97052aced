//! Golden tests. Every view is compared with a stored picture. The picture is drawn from the
//! program's output in a real pseudo-terminal.
//!
//! A view that differs from its picture in `pictures` fails the test. The new picture and the
//! differences are written below the build folder; the message contains the path.
//! `EYECHART_GOLDEN=update cargo test --release --test golden` accepts the new pictures: review the
//! files that git lists as changed.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::cast_possible_truncation,
    clippy::cast_possible_wrap,
    clippy::cast_precision_loss,
    clippy::cast_sign_loss,
    reason = "a test ends there, and pixels are small whole numbers"
)]

#[path = "../support/terminal.rs"]
mod terminal;

mod animation;
mod difference;
mod painter;
mod recording;
mod signs;
mod stored;
mod walk;

// The pictures are few, so that each can be reviewed: all views in one theme and three sizes, and
// one view in the other themes.
macro_rules! walks {
    ($($name:ident $theme:literal $columns:literal $rows:literal,)*) => { $(
        #[test]
        fn $name() {
            walk::walk($theme, $columns, $rows);
        }
    )*
        /// Folders of the pictures, one per walk.
        const RUNS: &[&str] = &[$(concat!($theme, "-", $columns, "x", $rows)),*];
    };
}

walks! {
    dark_80x24 "dark" 80 24,
    dark_120x36 "dark" 120 36,
    dark_200x60 "dark" 200 60,
    light_120x36 "light" 120 36,
    monochrome_120x36 "monochrome" 120 36,
}
