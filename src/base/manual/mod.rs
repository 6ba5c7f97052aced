//! The manual: short pages in Markdown, shared by the program, its man pages and the README.

// Tests may panic.
#![cfg_attr(test, allow(clippy::unwrap_used, clippy::panic))]

/// A page of the manual.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Page {
    /// Name by which the page is opened, such as `filters`.
    pub name: &'static str,
    /// The page in Markdown, starting with its title. Lines are at most 72 columns wide.
    pub text: &'static str,
}

/// Builds the list of pages from the names of their files.
macro_rules! pages {
    ($($name:literal)*) => {
        /// All pages, in reading order.
        pub const PAGES: &[Page] = &[
            $(Page { name: $name, text: include_str!(concat!("pages/", $name, ".md")) },)*
        ];
    };
}

pages! {
    "start" "commands" "words" "keys" "samples" "filters" "subgroups" "tags" "compare" "gate" "ranks" "reliability" "rules" "audit" "health" "likeness" "rerun" "playground"
    "side-by-side" "shards" "chains" "cost" "exam"
    "judge" "reports" "mcp" "python" "formats" "ava-bench" "tdbench" "gepbench" "fm-vision-evals" "coco" "annotations" "encoders" "runs" "own-format" "models" "pictures" "settings" "columns" "live-logs" "stores" "publish" "clickhouse" "security" "numbers" "limits"
    "extend"
}

impl Page {
    /// Returns the first line without the heading mark, such as `Filters: which samples count`.
    pub fn title(&self) -> &'static str {
        let first = self.text.lines().next().unwrap_or_default();
        first.trim_start_matches(['#', ' '])
    }

    /// Returns the page with this name.
    ///
    /// # Errors
    /// If no page has this name; the error holds the most similar name.
    pub fn named(name: &str) -> Result<&'static Self, Unknown> {
        let wanted = name.trim().to_lowercase();
        if let Some(page) = PAGES.iter().find(|page| page.name == wanted) {
            return Ok(page);
        }
        let likeness = |page: &&Page| strsim::normalized_damerau_levenshtein(page.name, &wanted);
        let nearest = PAGES
            .iter()
            .max_by(|a, b| likeness(a).total_cmp(&likeness(b)));
        let nearest = nearest.filter(|page| likeness(page) >= ALIKE);
        Err(Unknown {
            nearest: nearest.map(|page| page.name),
        })
    }
}

/// Minimum similarity of a suggested name, from 0 (nothing in common) to 1 (equal).
const ALIKE: f64 = 0.4;

/// Error for an unknown page name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unknown {
    /// Name of the most similar page; `None` if no name is similar enough.
    pub nearest: Option<&'static str>,
}

/// Returns the list of pages for the terminal: one line each with name and title.
pub fn index() -> String {
    let width = PAGES.iter().map(|page| page.name.len()).max().unwrap_or(0);
    let line = |page: &Page| format!("{:width$}  {}\n", page.name, page.title());
    PAGES.iter().map(line).collect()
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;
    use std::fs;
    use std::path::Path;

    use super::*;

    #[test]
    fn every_file_is_a_page_with_a_title_and_no_wide_line() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("manual/pages");
        let files: HashSet<String> = fs::read_dir(folder)
            .unwrap()
            .map(|file| file.unwrap().file_name().into_string().unwrap())
            .collect();
        let names: HashSet<String> = PAGES
            .iter()
            .map(|page| format!("{}.md", page.name))
            .collect();
        assert_eq!(names, files);
        assert_eq!(names.len(), PAGES.len());
        for page in PAGES {
            assert!(page.text.starts_with("# "), "{}", page.name);
            let wide = page.text.lines().find(|line| line.chars().count() > 72);
            assert_eq!(wide, None, "{}", page.name);
        }
    }

    #[test]
    fn pages_are_short_enough_to_read() {
        for page in PAGES {
            let lines = page.text.lines().count();
            assert!((10..130).contains(&lines), "{}: {lines} lines", page.name);
        }
    }

    #[test]
    fn a_page_is_found_by_name_and_a_misspelt_one_suggested() {
        assert_eq!(Page::named(" Filters ").unwrap().name, "filters");
        assert_eq!(
            Page::named("fliters"),
            Err(Unknown {
                nearest: Some("filters")
            })
        );
        assert_eq!(Page::named("xyzzy"), Err(Unknown { nearest: None }));
    }

    #[test]
    fn pages_that_are_mentioned_exist() {
        let mentioned = |page: &Page| -> Vec<String> {
            let after = page.text.split("`eyechart help ").skip(1);
            after
                .filter_map(|rest| rest.split('`').next())
                .map(str::to_owned)
                .collect()
        };
        let all: Vec<String> = PAGES.iter().flat_map(mentioned).collect();
        assert!(all.len() > 5, "{all:?}");
        for name in all {
            assert!(Page::named(&name).is_ok(), "{name}");
        }
    }

    #[test]
    fn the_index_names_every_page_with_its_title() {
        let index = index();
        assert_eq!(index.lines().count(), PAGES.len());
        assert!(index.contains("filters"));
        assert!(index.contains(Page::named("filters").unwrap().title()));
    }
}
