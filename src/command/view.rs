//! `eyechart [PATH...]`: opens the terminal UI.

use std::io::{IsTerminal, Write as _, stdin, stdout};
use std::path::PathBuf;
use std::time::Duration;

use super::input::ResolvedInput;
use super::stderr::stderr;
use super::{Failure, Status, misspelt, show};
use crate::cli::{self, View};
use base::config::Settings;
use engine::Scope;
use tui::graphics::{Bandwidth, Images};
use tui::{self, Options, SessionOptions, UiError};
use workspace::Lens;
use workspace::follow::PollSettings;

/// Name of the default theme.
const THEME: &str = "dark";
/// Default interval between two checks of store addresses, in seconds.
const POLL: u64 = 60;

/// Loads the inputs and runs the terminal UI until the user leaves.
pub fn run(args: &View) -> Result<Status, Failure> {
    // Without inputs, the start screen offers files to open.
    let named = match ResolvedInput::of(&args.input) {
        Err(_) if args.input.paths.is_empty() => ResolvedInput::nothing(&args.input)?,
        Err(failure) => return Err(meant(failure, args)),
        Ok(named) => named,
    };
    if !stdin().is_terminal() || !stdout().is_terminal() {
        return Err(Failure::usage("the terminal UI needs a terminal")
            .hint("use eyechart report to write to a pipe"));
    }
    let lens = Lens {
        filter: args.lens.filter.clone(),
        scoring: Scope::from(&args.lens).scoring,
        ..Lens::default()
    };
    workspace::filter::parse(&lens.filter).map_err(Failure::usage)?;
    let audit = named.audit(args.author.as_deref());
    let ResolvedInput {
        request, settings, ..
    } = named;
    let images = match (args.images, settings.images.as_deref()) {
        (Some(images), _) => show::images(images),
        (None, Some(name)) => name.parse().map_err(|error| {
            Failure::new(format!("{}: images: {error}", file(Settings::file())))
        })?,
        (None, None) => Images::Auto,
    };
    let session = Some(request.paths.as_slice()).filter(|_| settings.session.unwrap_or(true));
    let keep = session
        .and_then(base::config::session_file)
        .map(|file| SessionOptions {
            file,
            paths: base::config::whole_paths(&request.paths),
            fresh: args.fresh,
            theme_is_named: args.theme.is_some(),
        });
    let bandwidth = match (args.bandwidth, settings.bandwidth.as_deref()) {
        (Some(cli::Bandwidth::Auto), _) | (None, None) => Bandwidth::Auto,
        (Some(cli::Bandwidth::Low), _) => Bandwidth::Low,
        (Some(cli::Bandwidth::Full), _) => Bandwidth::Full,
        (None, Some(name)) => name
            .parse()
            .map_err(|error| Failure::new(format!("config file: {error}")))?,
    };
    let options = Options {
        request,
        keep,
        lens,
        theme: args
            .theme
            .clone()
            .or_else(|| settings.theme.clone())
            .unwrap_or_else(|| THEME.to_owned()),
        keymap: settings.keymap.clone(),
        images,
        audit,
        bandwidth,
        follow: (!args.no_follow && settings.follow.unwrap_or(true)).then(|| polling(&settings)),
        settings,
    };
    for hint in hints(|name| std::env::var(name).ok()) {
        writeln!(stderr(), "{hint}")?;
    }
    tui::run(&options).map_err(|error| in_its_file(&error, args))?;
    Ok(Status::Done)
}

/// Returns how often store addresses are checked for changes.
fn polling(settings: &Settings) -> PollSettings {
    PollSettings {
        every: Duration::from_secs(settings.poll.unwrap_or(POLL)),
        ..PollSettings::default()
    }
}

/// Hints about the terminal, printed before the UI covers them.
fn hints(variable: impl Fn(&str) -> Option<String>) -> Vec<&'static str> {
    let term = variable("TERM").unwrap_or_default();
    let dumb = (term == "dumb").then_some(
        "with TERM=dumb the screen may be unreadable, because the cursor cannot move; eyechart \
         report works in any terminal",
    );
    let ascii = tui::widget::ascii::is_promised(&variable).then_some(
        "the locale allows only ASCII, so lines and signs are drawn with it; set LC_ALL=C.UTF-8 \
         for all characters",
    );
    dumb.into_iter().chain(ascii).collect()
}

/// If the first path is missing but resembles a command, adds that command as a hint.
fn meant(failure: Failure, args: &View) -> Failure {
    let first = args.input.paths.first().filter(|path| !path.exists());
    match first.and_then(|path| misspelt::command_like(path)) {
        Some(command) => failure.hint(format!("did you mean `eyechart {command}`?")),
        None => failure,
    }
}

/// Adds the path of the config file that caused the error.
fn in_its_file(error: &UiError, args: &View) -> Failure {
    match error {
        UiError::Keymap(why) => Failure::new(format!("{}: {why}", file(Settings::keymap_file()))),
        UiError::Theme(_) if args.theme.is_none() => {
            Failure::new(format!("{}: {error}", file(Settings::file())))
        }
        UiError::Theme(_) => Failure::usage(error),
        UiError::Terminal(_) | UiError::Signal(_) | UiError::Unsaved(..) | UiError::Waiting(_) => {
            Failure::new(error)
        }
    }
}

fn file(path: Option<PathBuf>) -> String {
    path.unwrap_or_default().display().to_string()
}

#[cfg(test)]
mod tests {
    use super::hints;

    #[test]
    fn only_a_poor_terminal_is_talked_about() {
        let said = |pairs: &[(&str, &str)]| {
            hints(|name| {
                let found = pairs.iter().find(|(key, _)| *key == name);
                found.map(|(_, value)| (*value).to_owned())
            })
            .len()
        };
        assert_eq!(said(&[("TERM", "xterm"), ("LANG", "de_DE.UTF-8")]), 0);
        assert_eq!(said(&[("TERM", "dumb")]), 1);
        assert_eq!(said(&[("TERM", "dumb"), ("LC_ALL", "C")]), 2);
    }
}
