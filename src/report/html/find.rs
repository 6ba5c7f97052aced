//! Search fields for the samples of a page. Without scripts they are hidden, and all samples are
//! shown.

use std::io::{self, Write};

use super::escape::escape;

/// Script that filters the samples.
pub const SCRIPT: &str = include_str!("script.js");

/// Lists of the search fields: models, abilities and subgroups.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SampleFilter {
    /// Models to choose from; cards refer to their index.
    pub models: Vec<String>,
    /// Section id and name of each ability with samples on the page.
    pub abilities: Vec<(String, String)>,
    /// Subgroups to choose from; cards refer to their index.
    pub subgroups: Vec<String>,
}

/// Results to choose from, with the marks that match.
const RESULTS: [(&str, &str); 3] = [
    ("r", "right"),
    ("wu", "wrong or unreadable"),
    ("u", "unreadable"),
];

/// Writes the search fields, which stay hidden without scripts.
pub fn write(filter: &SampleFilter, out: &mut dyn Write) -> io::Result<()> {
    let named = |names: &[String]| -> String {
        let option = |name: &String| format!("<option>{}</option>", escape(name));
        names.iter().map(option).collect()
    };
    let valued = |(value, name): (&str, &str)| {
        let (value, name) = (escape(value), escape(name));
        format!("<option value=\"{value}\">{name}</option>")
    };
    let abilities = filter.abilities.iter();
    let abilities = abilities.map(|(id, name)| valued((id.as_str(), name.as_str())));
    writeln!(
        out,
        "<div class=\"find\" id=\"find\" role=\"search\" aria-label=\"Samples on this page\" hidden=\"hidden\">\n\
         <label>text <input id=\"find-q\" type=\"search\" autocomplete=\"off\"/></label>"
    )?;
    for (name, options) in [
        ("model", named(&filter.models)),
        ("ability", abilities.collect()),
        ("subgroup", named(&filter.subgroups)),
        ("answers", RESULTS.into_iter().map(valued).collect()),
    ] {
        writeln!(
            out,
            "<label>{name} <select id=\"find-{name}\"><option value=\"\">any</option>{options}</select></label>"
        )?;
    }
    writeln!(
        out,
        "<button type=\"button\" id=\"find-clear\">Show all</button>\n<output id=\"found\" tabindex=\"-1\"></output>\n</div>"
    )
}
