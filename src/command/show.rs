//! `eyechart show`: prints samples as cards in the scrollback.

use std::io::{IsTerminal, Stdout, Write, stdout};

use super::{Failure, Status, input};
use crate::cli::{self, Show};
use base::format::{counted, visible};
use record::Table;
use report::card;
use tui::graphics::{Images, PrintedPicture, print_in_scrollback};
use workspace::page::Detail;
use workspace::picture::{self, Layers};
use workspace::sample_panel::{maps_with_letters, sample_panels};

/// Maximum number of pictures on a card.
const MOST: usize = 4;
/// Maximum height of a card's picture, in rows.
const PICTURE_ROWS: u16 = 24;

/// Prints each matching sample with picture, question and answers.
pub fn run(args: &Show) -> Result<Status, Failure> {
    let opened = input::open_lens(&args.input, &args.lens)?;
    let query = engine::Show::from(args);
    let (rows, table) = (opened.ask(&query)?, opened.table());
    // Do not lock stdout: the thread that draws a picture also writes to it.
    let mut out = stdout();
    let mut shown = None;
    for row in rows {
        let detail = opened.ask(&engine::Detail {
            row,
            scoring: query.scope.scoring,
            with_maps: true,
        })?;
        let detail = detail.map_err(Failure::new)?;
        let item = table.item(row);
        if shown != Some(item) {
            if shown.is_some() {
                writeln!(out)?;
            }
            card::write_question(&detail, &mut out)?;
            show_picture(args, table, &detail, &mut out)?;
            shown = Some(item);
        }
        card::write_answer(&detail, &mut out)?;
        let scoring = query.scope.scoring;
        match opened.ask(&engine::Trace { row, scoring })? {
            Ok(parts) => card::write_trace(&parts, &mut out)?,
            Err(why) => writeln!(out, "trace     {}", visible(&why))?,
        }
    }
    Ok(Status::Done)
}

fn show_picture(
    args: &Show,
    table: &Table,
    detail: &Detail,
    out: &mut Stdout,
) -> Result<(), Failure> {
    let choice = images(args.images);
    let sources = picture::sources(table, detail);
    if choice == Images::Off || !stdout().is_terminal() {
        for source in sources {
            writeln!(out, "picture   {}", visible(&source.name()))?;
        }
        card::write_maps(detail, out)?;
        return Ok(());
    }
    let marked = picture::marked(detail, None);
    let surfaces = maps_with_letters(detail, None);
    let panels = sample_panels(
        sources,
        &marked,
        &surfaces,
        Layers::All,
        [&detail.list.model, ""],
    );
    let more = panels.len().saturating_sub(MOST);
    for panel in panels.into_iter().take(MOST) {
        if !panel.caption.is_empty() {
            writeln!(out, "{}", visible(&panel.caption))?;
        }
        match media::load(&panel.source) {
            Ok(picture) => {
                let cols = crossterm::terminal::size().map_or(80, |(cols, _)| cols);
                let printed = PrintedPicture {
                    picture: &picture,
                    overlays: &panel.overlays,
                    layers: &panel.maps,
                    area: (cols, PICTURE_ROWS),
                };
                if let Err(error) = print_in_scrollback(printed, choice, out) {
                    // Print the error and go on: the answers are useful without the picture.
                    writeln!(out, "picture   {}", visible(&error.to_string()))?;
                }
            }
            Err(missing) => writeln!(out, "picture   {}", visible(&missing.to_string()))?,
        }
    }
    if more > 0 {
        writeln!(out, "and {}", counted(more as u64, "more picture"))?;
    }
    card::write_maps(detail, out)?;
    Ok(())
}

/// Converts the option of the command line.
pub fn images(choice: cli::Images) -> Images {
    match choice {
        cli::Images::Auto => Images::Auto,
        cli::Images::Kitty => Images::Kitty,
        cli::Images::Sixel => Images::Sixel,
        cli::Images::Iterm2 => Images::Iterm2,
        cli::Images::Blocks => Images::Blocks,
        cli::Images::Off => Images::Off,
    }
}
