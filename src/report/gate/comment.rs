//! Writes a gate as one comment in Markdown, with small pictures of what got worse.

use std::io::{self, Write};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

use super::{GateReport, LostSample, columns};
use crate::html::escape as escape_html;
use crate::markdown;
use analysis::{GateRow, GateVerdict, gate_sentences};
use media::EncodedPicture;

/// Maximum size of a comment in bytes. GitHub accepts 65,536 characters.
const MOST_BYTES: usize = 60_000;
/// Maximum number of rows of the table.
const MOST_ROWS: usize = 60;
/// Maximum number of lost samples.
const MOST_LOST: usize = 8;
/// Columns that a comment leaves out.
const LONG: [&str; 5] = ["pictures", "better", "worse", "equal", "p worse"];

impl GateReport {
    /// Writes the comment.
    pub(super) fn comment(&self, out: &mut dyn Write) -> io::Result<()> {
        let mut text = Vec::new();
        self.head(&mut text)?;
        let lost = self.lost_samples();
        if !lost.is_empty() {
            let rest = MOST_BYTES.saturating_sub(text.len());
            self.lost_table(&lost, rest, &mut text)?;
        }
        out.write_all(&text)
    }

    fn head(&self, out: &mut Vec<u8>) -> io::Result<()> {
        let sign = match self.outcome() {
            GateVerdict::Pass => "✅",
            GateVerdict::Worse => "❌",
            GateVerdict::CannotTell => "⚠️",
        };
        let mut sentences = gate_sentences(&self.gate, &self.base, &self.candidate).into_iter();
        let first = sentences.next().unwrap_or_default();
        writeln!(out, "### {sign} {}\n", quiet(&first))?;
        let warnings = self.gate.mismatches.iter();
        let warnings = warnings.map(|warning| format!("Careful: {warning}."));
        let about = format!(
            "The base is {}, the candidate {}.",
            self.base, self.candidate
        );
        let rest: Vec<String> = sentences
            .chain(warnings)
            .chain([about])
            .chain(self.coverage())
            .collect();
        markdown::preface(&rest, out)?;
        let rows: Vec<&GateRow> = self.ordered().into_iter().map(|(row, _)| row).collect();
        let shown = rows.iter().copied().take(MOST_ROWS);
        let grid = columns().without(&LONG).grid("", shown);
        markdown::write(&[grid], out)?;
        let refused: Vec<String> = rows
            .iter()
            .filter(|row| row.why_not.is_some() && rows.len() > 1)
            .map(|row| self.sentence(row))
            .collect();
        markdown::preface(&refused, out)
    }

    /// Writes the table of lost samples, with as many pictures as fit into `rest` bytes.
    fn lost_table(
        &self,
        lost: &[(&GateRow, &LostSample)],
        rest: usize,
        out: &mut Vec<u8>,
    ) -> io::Result<()> {
        let shown = lost.get(..MOST_LOST).unwrap_or(lost);
        let lines: Vec<String> = (1..)
            .zip(shown)
            .map(|(number, (_, sample))| line(number, sample))
            .collect();
        let texts: usize = lines.iter().map(String::len).sum();
        let mut room = rest.saturating_sub(texts);
        writeln!(out, "<details open><summary>What got worse</summary>\n")?;
        writeln!(
            out,
            "| picture | ability | sample | target | base | candidate |"
        )?;
        writeln!(out, "|---|---|---|---|---|---|")?;
        for ((number, (_, sample)), line) in (1..).zip(shown).zip(&lines) {
            let picture = first_picture(sample);
            let link = picture.map(|picture| self.link(number, picture));
            let tag = picture.zip(link).map(|(picture, link)| {
                let (width, height) = picture.size;
                format!(
                    "<img src=\"{}\" width=\"{width}\" height=\"{height}\" alt=\"{}\">",
                    escape_html(&link),
                    escape_html(&sample.id).replace('|', "&#124;")
                )
            });
            let tag = tag.filter(|tag| tag.len() <= room).unwrap_or_default();
            room -= tag.len();
            writeln!(out, "| {tag} | {line} |")?;
        }
        let commands = shown.iter().map(|(_, sample)| sample.command.as_str());
        let commands: Vec<&str> = commands
            .filter(|command| !command.contains("```"))
            .collect();
        writeln!(out, "\n```sh")?;
        for command in commands {
            writeln!(out, "{}", base::format::visible(command))?;
        }
        writeln!(out, "```\n\n</details>")
    }

    /// Address of a picture: a data URL, or the file of [`Self::picture_files`].
    fn link(&self, number: usize, picture: &EncodedPicture) -> String {
        match &self.pictures_at {
            Some(place) => {
                let place = place.trim_end_matches('/');
                format!("{place}/{}", file_name(number, picture))
            }
            None => format!(
                "data:{};base64,{}",
                picture.mime,
                STANDARD.encode(&picture.bytes)
            ),
        }
    }

    /// The pictures of a comment, with the names of their files.
    pub fn picture_files(&self) -> Vec<(String, &[u8])> {
        let lost = self.lost_samples();
        let shown = lost.into_iter().take(MOST_LOST);
        let first = (1..).zip(shown).filter_map(|(number, (_, sample))| {
            let picture = first_picture(sample)?;
            Some((file_name(number, picture), picture.bytes.as_slice()))
        });
        first.collect()
    }
}

fn first_picture(sample: &LostSample) -> Option<&EncodedPicture> {
    let mut pictures = sample.pictures.iter();
    pictures.find_map(|picture| picture.encoded.as_ref())
}

fn file_name(number: usize, picture: &EncodedPicture) -> String {
    let ending = if picture.mime == "image/png" {
        "png"
    } else {
        "jpg"
    };
    format!("worse-{number}.{ending}")
}

/// Cells of a lost sample after the picture.
fn line(number: usize, sample: &LostSample) -> String {
    let name = match sample.condition.as_str() {
        "" => sample.id.clone(),
        condition => format!("{} ({condition})", sample.id),
    };
    let cells = [
        &sample.ability,
        &format!("{number}. {name}"),
        &sample.target,
        &sample.base,
        &sample.candidate,
    ];
    cells.map(|cell| quiet(cell)).join(" | ")
}

/// Escapes text from logs. An `@` notifies nobody.
fn quiet(text: &str) -> String {
    markdown::escaped(text).replace('@', "@<!-- -->")
}
