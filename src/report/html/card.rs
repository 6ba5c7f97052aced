//! A sample as a card: pictures, question, target, and everybody's answers.

use std::io::{self, Write};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

use super::Mark;
use super::write::escape;

/// A sample with its pictures and answers. Its texts come from logs and are escaped when they are written.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Card {
    /// The id by which links lead here.
    pub id: String,
    /// The sample's id.
    pub title: String,
    /// Under which condition it was asked.
    pub about: String,
    /// Its pictures.
    pub pictures: Vec<CardPicture>,
    /// Why some are not there, a sentence each.
    pub missing: Vec<String>,
    /// The colours of the boxes, and what they stand for.
    pub legend: Vec<([u8; 3], String)>,
    /// The question, its lines kept.
    pub question: String,
    /// The options.
    pub options: Vec<CardOption>,
    /// The annotated answer.
    pub target: String,
    /// What was answered.
    pub answers: Vec<CardAnswer>,
    /// The command that shows the sample.
    pub command: String,
}

/// A picture that the page holds.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CardPicture {
    /// PNG or JPEG.
    pub bytes: Vec<u8>,
    /// Its media type.
    pub mime: &'static str,
    /// Width and height in pixels.
    pub size: (u32, u32),
    /// What it shows, where that has to be said.
    pub caption: String,
}

/// An option of a question.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CardOption {
    /// Its letter.
    pub letter: String,
    /// Its text.
    pub text: String,
    /// True if it is the annotated answer.
    pub is_target: bool,
}

/// An answer, and who gave it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CardAnswer {
    /// Whether it is right.
    pub mark: Mark,
    /// The answer in a few words.
    pub words: String,
    /// Its score, where it is graded.
    pub score: String,
    /// The models that gave it.
    pub models: Vec<String>,
}

/// A sign with its class and its name, before an answer.
pub fn sign(mark: Mark) -> &'static str {
    match mark {
        Mark::Right => "<b class=\"ok\" title=\"right\">✓</b> ",
        Mark::Wrong => "<b class=\"no\" title=\"wrong\">✗</b> ",
        Mark::Unread => "<b class=\"un\" title=\"could not be read\">?</b> ",
        Mark::None => "",
    }
}

/// Escaped text whose lines stay lines.
fn lines(text: &str) -> String {
    let lines = text.lines().map(|line| escape(line.trim_end_matches('\r')));
    lines.collect::<Vec<_>>().join("<br/>")
}

/// Writes cards side by side.
pub fn write(cards: &[Card], out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "<div class=\"cards\">")?;
    for card in cards {
        write_card(card, out)?;
    }
    writeln!(out, "</div>")
}

fn write_card(card: &Card, out: &mut dyn Write) -> io::Result<()> {
    let (id, title) = (escape(&card.id), escape(&card.title));
    writeln!(
        out,
        "<article class=\"card\" id=\"{id}\">\n<h5><a href=\"#{id}\">{title}</a>{}</h5>",
        match card.about.as_str() {
            "" => String::new(),
            about => format!(" <small>{}</small>", escape(about)),
        }
    )?;
    for (at, picture) in (1..).zip(&card.pictures) {
        write_picture(card, picture, at, out)?;
    }
    for why in &card.missing {
        writeln!(out, "<p class=\"missing\">{}</p>", escape(why))?;
    }
    if !card.legend.is_empty() && !card.pictures.is_empty() {
        let entry = |([red, green, blue], words): &([u8; 3], String)| {
            format!(
                "<span><i class=\"swatch\" style=\"background:#{red:02x}{green:02x}{blue:02x}\"></i>{}</span>",
                escape(words)
            )
        };
        let entries: Vec<String> = card.legend.iter().map(entry).collect();
        writeln!(out, "<p class=\"legend\">{}</p>", entries.join(" "))?;
    }
    if !card.question.is_empty() {
        writeln!(out, "<p>{}</p>", lines(&card.question))?;
    }
    if !card.options.is_empty() {
        writeln!(out, "<ul class=\"options\">")?;
        for option in &card.options {
            let (open, close) = if option.is_target {
                ("<b>", "</b>")
            } else {
                ("", "")
            };
            let (letter, text) = (escape(&option.letter), escape(&option.text));
            writeln!(out, "<li>{open}{letter} {text}{close}</li>")?;
        }
        writeln!(out, "</ul>")?;
    }
    if !card.target.is_empty() {
        let target = escape(&card.target);
        writeln!(out, "<p><small>target</small> <b>{target}</b></p>")?;
    }
    write_answers(&card.answers, out)?;
    if !card.command.is_empty() {
        let command = escape(&card.command);
        writeln!(
            out,
            "<details><summary>in the terminal</summary><pre><code>{command}</code></pre></details>"
        )?;
    }
    writeln!(out, "</article>")
}

fn write_picture(
    card: &Card,
    picture: &CardPicture,
    number: usize,
    out: &mut dyn Write,
) -> io::Result<()> {
    let (width, height) = picture.size;
    let caption = match picture.caption.as_str() {
        "" => String::new(),
        caption => format!("<figcaption>{}</figcaption>", escape(caption)),
    };
    writeln!(
        out,
        "<figure><img width=\"{width}\" height=\"{height}\" alt=\"picture {number} of {}\" src=\"data:{};base64,{}\"/>{caption}</figure>",
        escape(&card.title),
        picture.mime,
        STANDARD.encode(&picture.bytes)
    )
}

fn write_answers(answers: &[CardAnswer], out: &mut dyn Write) -> io::Result<()> {
    if answers.is_empty() {
        return Ok(());
    }
    writeln!(out, "<ul class=\"answers\">")?;
    for answer in answers {
        let score = match answer.score.as_str() {
            "" => String::new(),
            score => format!(" <i>{}</i>", escape(score)),
        };
        let models: Vec<_> = answer.models.iter().map(|model| escape(model)).collect();
        writeln!(
            out,
            "<li>{}{}{score} <small>{}</small></li>",
            sign(answer.mark),
            escape(&answer.words),
            models.join(", ")
        )?;
    }
    writeln!(out, "</ul>")
}
