//! Reads one log: its header's figures and all its samples.

use std::ops::ControlFlow;
use std::path::Path;

use super::archive::Archive;
use super::document::{self, Part, SAMPLES};
use super::figures::{Place, figures};
use super::header::Header;
use super::sample::{Run, Sample};
use super::scores::Names;
use crate::room::Room;
use crate::{Context, Sink, Unit};
use record::Problem;

/// Where an archive has its samples.
const FOLDER: &str = "samples/";

/// Reads a unit into `sink`; `Break` if the sink asked to stop.
pub fn read(unit: &Unit, context: &Context, sink: &mut dyn Sink) -> ControlFlow<()> {
    let mut head = [0; 2];
    let is_archive = std::fs::File::open(&unit.path)
        .and_then(|mut file| std::io::Read::read_exact(&mut file, &mut head))
        .is_ok_and(|()| head == *b"PK");
    let log = Log { unit, context };
    if is_archive {
        log.archive(sink)
    } else {
        log.document(sink)
    }
}

/// A log that is being read.
struct Log<'a> {
    unit: &'a Unit,
    context: &'a Context,
}

/// A header, and what its scores are called.
struct Told {
    header: Header,
    names: Names,
}

impl Log<'_> {
    fn archive(&self, sink: &mut dyn Sink) -> ControlFlow<()> {
        let path = &self.unit.path;
        let mut archive = match Archive::open(path) {
            Ok(archive) => archive,
            Err(error) => {
                sink.problem(Problem::file(path, format!("cannot be read: {error}")));
                return sink.progress(self.unit.length);
            }
        };
        if let Some(what) = archive.damage.take() {
            sink.problem(Problem::file(path, what));
        }
        let header = Header::of_archive(&mut archive).unwrap_or_else(|what| {
            sink.problem(Problem::file(path, what));
            Header::default()
        });
        let told = self.tell(header, sink);
        let mut room = Room::of(self.unit.length);
        let (mut line, mut done) = (0, 0);
        for member in archive.members.clone() {
            done += member.packed;
            if !member.name.starts_with(FOLDER) {
                continue;
            }
            line += 1;
            let place = path.join(&member.name);
            match archive.read(&member) {
                Ok(bytes) => {
                    if let Err(what) = room.take(bytes.len()) {
                        sink.problem(Problem::file(place, what));
                        break;
                    }
                    self.sample(&bytes, line, &place, &told, sink);
                }
                Err(what) => sink.problem(Problem::file(place, what)),
            }
            sink.progress(std::mem::take(&mut done))?;
        }
        self.finish(&told, line, sink);
        sink.progress(done)
    }

    /// The header stands before the samples, but for the names of their scores we must know it all: so the
    /// document is read twice, and the samples are skipped the first time.
    fn document(&self, sink: &mut dyn Sink) -> ControlFlow<()> {
        let path = &self.unit.path;
        let mut header = Header::default();
        let failed = |sink: &mut dyn Sink, error: std::io::Error| {
            sink.problem(Problem::file(path, format!("cannot be read: {error}")));
        };
        let first = document::read(path, Header::wanted(), &mut |part| {
            if let Part::Member(key, json) = part
                && let Err(what) = header.set(key, json)
            {
                sink.problem(Problem::file(path, what));
            }
            ControlFlow::Continue(())
        });
        if let Err(error) = first {
            failed(sink, error);
            return sink.progress(self.unit.length);
        }
        let told = self.tell(header, sink);
        let mut samples = 0;
        let second = document::read(path, &[SAMPLES], &mut |part| {
            match part {
                Part::Sample(line, json) => {
                    samples += 1;
                    self.sample(json, line, path, &told, sink);
                }
                Part::Problem(line, what) => sink.problem(Problem::line(path, line, what)),
                Part::Bytes(bytes) => return sink.progress(bytes),
                Part::Member(..) => {}
            }
            ControlFlow::Continue(())
        });
        match second {
            Ok(flow) => flow?,
            Err(error) => failed(sink, error),
        }
        self.finish(&told, samples, sink);
        ControlFlow::Continue(())
    }

    /// Hands on what the header says: figures, and why the run is not whole.
    fn tell(&self, header: Header, sink: &mut dyn Sink) -> Told {
        let names = Names::of(&header);
        let log = self
            .unit
            .path
            .file_name()
            .unwrap_or_default()
            .to_string_lossy();
        let place = Place {
            log: &log,
            task: self.task(),
            model: self.model(),
            divided: self.context.picks_tag(),
        };
        sink.settings(header.settings());
        for figure in figures(&header, &names, &place) {
            sink.published(figure, 1);
        }
        if let Some(what) = unfinished(&header) {
            sink.problem(Problem::file(&self.unit.path, what));
        }
        Told { header, names }
    }

    fn sample(&self, text: &[u8], line: u64, place: &Path, told: &Told, sink: &mut dyn Sink) {
        let problem = |what: String| {
            if place == self.unit.path {
                Problem::line(place, line, what)
            } else {
                Problem::file(place, what)
            }
        };
        let run = Run {
            task: self.task(),
            model: self.model(),
            names: &told.names,
            context: self.context,
        };
        let read = Sample::new(text).and_then(|sample| Ok((sample.record(&run)?, sample.error())));
        match read {
            Ok((record, error)) => {
                if let Some(what) = error {
                    sink.problem(problem(what));
                }
                sink.record(record, line);
            }
            Err(what) => sink.problem(problem(what)),
        }
    }

    /// Says when the log has fewer samples than its run had.
    fn finish(&self, told: &Told, samples: u64, sink: &mut dyn Sink) {
        let total = told.header.total().unwrap_or_default();
        if total > samples {
            let what = format!("{samples} of the run's {total} samples are in the log");
            sink.problem(Problem::file(&self.unit.path, what));
        }
    }

    fn task(&self) -> &str {
        self.unit.dataset.as_deref().unwrap_or_default()
    }

    fn model(&self) -> &str {
        self.unit.model.as_deref().unwrap_or("unknown")
    }
}

/// Why a run is not whole, if it is not.
fn unfinished(header: &Header) -> Option<String> {
    let why = header
        .error()
        .map(|why| format!(": {why}"))
        .unwrap_or_default();
    match header.status() {
        "success" => None,
        "started" => Some(
            "the run goes on or was killed: its log ends without figures (status started)"
                .to_owned(),
        ),
        status => Some(format!(
            "the run did not come to its end (status {status}){why}"
        )),
    }
}
