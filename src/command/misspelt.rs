//! Suggests a command for a misspelt word that was parsed as a path.

use std::path::Path;

use clap::CommandFactory;

use crate::cli::Cli;

/// Maximum edit distance between a word and the suggested command.
const EDITS: usize = 2;

/// Returns the command whose name is similar to a missing path: `report` for `reprot`.
pub fn command_like(path: &Path) -> Option<String> {
    let word = path.to_str()?;
    let eyechart = Cli::command();
    let names = eyechart.get_subcommands().map(clap::Command::get_name);
    let near = names.map(|name| (strsim::damerau_levenshtein(name, word), name));
    let (edits, name) = near.min()?;
    // More than half of a short word must match.
    (edits <= EDITS && edits * 2 < word.chars().count()).then(|| name.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn like(word: &str) -> Option<String> {
        command_like(Path::new(word))
    }

    #[test]
    fn a_command_is_suggested_for_a_word_that_is_nearly_its_name() {
        assert_eq!(like("reprot").as_deref(), Some("report"));
        assert_eq!(like("sample").as_deref(), Some("samples"));
        assert_eq!(like("runs"), None);
        assert_eq!(like("logs/reprot"), None);
        assert_eq!(like("abc"), None);
    }
}
