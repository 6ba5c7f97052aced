//! A word where a path is wanted that was meant for a command.

use std::path::Path;

use clap::CommandFactory;

use cli::Cli;

/// Edits by which a word may differ from the command that was meant.
const EDITS: usize = 2;

/// The command whose name is nearly that of a path that does not exist, such as `report` for `reprot`.
pub fn command_like(path: &Path) -> Option<String> {
    let word = path.to_str()?;
    let eyechart = Cli::command();
    let names = eyechart.get_subcommands().map(clap::Command::get_name);
    let near = names.map(|name| (strsim::damerau_levenshtein(name, word), name));
    let (edits, name) = near.min()?;
    // Half of a short word may not be wrong.
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
