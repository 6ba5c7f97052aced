//! Writes sample cards: pictures, question, target, and all models' answers.

use std::io::{self, Write};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

use super::VerdictMark;
use super::escape::escape;
use media::EncodedPicture;

/// A sample with its pictures and answers. Its texts come from logs; writing escapes them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Card {
    /// HTML id, the target of links.
    pub id: String,
    /// The sample's id.
    pub title: String,
    /// The condition under which it was asked; can be empty.
    pub about: String,
    /// Pictures with boxes drawn.
    pub pictures: Vec<CardPicture>,
    /// One sentence per missing picture.
    pub missing: Vec<String>,
    /// Colours of the boxes with their meanings.
    pub legend: Vec<([u8; 3], String)>,
    /// The question, with its line breaks.
    pub question: String,
    /// Answer options, if any.
    pub options: Vec<CardOption>,
    /// The annotated answer.
    pub target: String,
    /// Different answers with their models.
    pub answers: Vec<CardAnswer>,
    /// Command that shows the sample in the terminal.
    pub command: String,
    /// Models that answered, as indices into the list of the page's filter, with their results.
    pub results: Vec<(usize, VerdictMark)>,
    /// Subgroups of the sample, as indices into the list of the page's filter.
    pub subgroups: Vec<usize>,
}

/// A picture embedded in the page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CardPicture {
    /// PNG or JPEG data with media type and size; `None` if it was left out.
    pub encoded: Option<EncodedPicture>,
    /// Caption; empty if none is needed.
    pub caption: String,
}

/// An option of a question.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CardOption {
    /// The letter that stands for the option.
    pub letter: String,
    /// Text of the option, as in the question.
    pub text: String,
    /// True if it is the annotated answer.
    pub is_target: bool,
}

/// One answer and the models that gave it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CardAnswer {
    /// Whether the answer is right.
    pub mark: VerdictMark,
    /// The answer, shortened.
    pub words: String,
    /// A graded score; empty for answers that are only right or wrong.
    pub score: String,
    /// Names of the models that gave this answer.
    pub models: Vec<String>,
}

/// HTML of a mark, followed by a space; empty for no mark.
pub fn sign(mark: VerdictMark) -> &'static str {
    match mark {
        VerdictMark::Right => "<b class=\"ok\" title=\"right\">✓</b> ",
        VerdictMark::Wrong => "<b class=\"no\" title=\"wrong\">✗</b> ",
        VerdictMark::Unread => "<b class=\"un\" title=\"could not be read\">?</b> ",
        VerdictMark::None => "",
    }
}

/// Escapes text and turns line breaks into `<br/>`.
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
    let (results, subgroups) = (results(card), subgroups(card));
    writeln!(
        out,
        "<article class=\"card\" id=\"{id}\"{results}{subgroups}>\n<h5><a href=\"#{id}\">{title}</a>{}</h5>",
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
            // The policy forbids style attributes, but allows attributes of SVG.
            format!(
                "<span><svg class=\"swatch\" viewBox=\"0 0 1 1\"><path fill=\"#{red:02x}{green:02x}{blue:02x}\" d=\"M0 0h1v1H0z\"/></svg>{}</span>",
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
    let caption = match picture.caption.as_str() {
        "" => String::new(),
        caption => format!("<figcaption>{}</figcaption>", escape(caption)),
    };
    let alt = format!("picture {number} of {}", card.title);
    let image = picture.encoded.as_ref().map(|picture| image(picture, &alt));
    let image = image.unwrap_or_default();
    writeln!(out, "<figure>{image}{caption}</figure>")
}

/// An embedded picture with its alternative text.
pub fn image(picture: &EncodedPicture, alt: &str) -> String {
    let (width, height) = picture.size;
    format!(
        "<img width=\"{width}\" height=\"{height}\" alt=\"{}\" src=\"data:{};base64,{}\"/>",
        escape(alt),
        picture.mime,
        STANDARD.encode(&picture.bytes)
    )
}

/// Attribute with the model and result of each answer, for the filter.
fn results(card: &Card) -> String {
    let result = |(model, mark): &(usize, VerdictMark)| {
        let mark = match mark {
            VerdictMark::Right => "r",
            VerdictMark::Wrong => "w",
            VerdictMark::Unread => "u",
            VerdictMark::None => "n",
        };
        format!("{model}:{mark}")
    };
    attribute(
        "data-m",
        &card.results.iter().map(result).collect::<Vec<_>>(),
    )
}

/// Attribute with the sample's subgroups, for the filter.
fn subgroups(card: &Card) -> String {
    let places = card.subgroups.iter().map(usize::to_string);
    attribute("data-b", &places.collect::<Vec<_>>())
}

/// Attribute with words, after a space; empty without any.
fn attribute(name: &str, words: &[String]) -> String {
    if words.is_empty() {
        return String::new();
    }
    format!(" {name}=\"{}\"", words.join(" "))
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
