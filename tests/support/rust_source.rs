//! Rust text as far as imports need it.

/// The code with comments, texts and characters blanked out; line breaks and lengths stay.
pub fn blanked(code: &str) -> String {
    let chars: Vec<char> = code.chars().collect();
    let mut out = String::new();
    let mut at = 0;
    while at < chars.len() {
        let end = match &chars[at..] {
            ['/', '/', ..] => find(&chars, at, |rest| rest.starts_with(&['\n'])),
            ['/', '*', ..] => find(&chars, at + 2, |rest| rest.starts_with(&['*', '/'])) + 2,
            ['"', ..] => text_end(&chars, at + 1),
            ['r', rest @ ..] if is_raw(rest) && !preceded_by_word(&chars, at) => {
                raw_end(&chars, at + 1)
            }
            ['\'', '\\', ..] => find(&chars, at + 3, |rest| rest.starts_with(&['\''])) + 1,
            ['\'', _, '\'', ..] => at + 3,
            _ => {
                out.push(chars[at]);
                at += 1;
                continue;
            }
        };
        let end = end.min(chars.len());
        out.extend(
            chars[at..end]
                .iter()
                .map(|&c| if c == '\n' { '\n' } else { ' ' }),
        );
        at = end;
    }
    out
}

fn find(chars: &[char], from: usize, is: impl Fn(&[char]) -> bool) -> usize {
    (from..chars.len())
        .find(|&at| is(&chars[at..]))
        .unwrap_or(chars.len())
}

fn text_end(chars: &[char], mut at: usize) -> usize {
    while at < chars.len() && chars[at] != '"' {
        at += if chars[at] == '\\' { 2 } else { 1 };
    }
    at + 1
}

fn is_raw(rest: &[char]) -> bool {
    let hashes = rest.iter().take_while(|&&c| c == '#').count();
    rest.get(hashes) == Some(&'"')
}

fn raw_end(chars: &[char], from: usize) -> usize {
    let hashes = chars[from..].iter().take_while(|&&c| c == '#').count();
    let close: Vec<char> = std::iter::once('"')
        .chain(std::iter::repeat_n('#', hashes))
        .collect();
    find(chars, from + hashes + 1, |rest| rest.starts_with(&close)) + close.len()
}

fn preceded_by_word(chars: &[char], at: usize) -> bool {
    at > 0 && (chars[at - 1].is_alphanumeric() || chars[at - 1] == '_')
}

/// A word or sign, and its line.
#[derive(Clone, Debug, PartialEq)]
pub struct Token {
    /// The word, or one sign; `::` is one.
    pub text: String,
    /// Counted from 1.
    pub line: usize,
}

/// The tokens of blanked code.
pub fn tokens(code: &str) -> Vec<Token> {
    let mut tokens: Vec<Token> = Vec::new();
    let mut line = 1;
    let mut in_word = false;
    for c in code.chars() {
        let wordy = c.is_alphanumeric() || c == '_';
        match tokens.last_mut() {
            Some(last) if wordy && in_word => last.text.push(c),
            Some(last) if c == ':' && last.text == ":" => last.text.push(c),
            _ if c.is_whitespace() => {
                // A space ends a sign as well: `a: ::b` is no `:::`.
                if c == '\n' {
                    line += 1;
                }
            }
            _ => tokens.push(Token {
                text: c.to_string(),
                line,
            }),
        }
        in_word = wordy;
    }
    tokens
}

/// The tokens without what is only built for tests; and the names of such modules in files of their own.
pub fn without_tests(tokens: &[Token]) -> (Vec<Token>, Vec<String>) {
    let (mut kept, mut modules) = (Vec::new(), Vec::new());
    let mut at = 0;
    while at < tokens.len() {
        if is(tokens, at, &["#", "[", "cfg", "(", "test", ")", "]"]) {
            let end = item_end(tokens, at);
            let item = &tokens[at..end];
            if let Some(name) = item
                .iter()
                .position(|token| token.text == "mod")
                .and_then(|at| item.get(at + 1))
            {
                modules.push(name.text.clone());
            }
            at = end;
        } else {
            kept.push(tokens[at].clone());
            at += 1;
        }
    }
    (kept, modules)
}

fn is(tokens: &[Token], at: usize, texts: &[&str]) -> bool {
    texts.iter().enumerate().all(|(offset, text)| {
        tokens
            .get(at + offset)
            .is_some_and(|token| token.text == *text)
    })
}

/// Where the item that begins with attributes ends.
fn item_end(tokens: &[Token], from: usize) -> usize {
    let mut depth = 0_usize;
    for (at, token) in tokens.iter().enumerate().skip(from) {
        match token.text.as_str() {
            "{" | "(" | "[" => depth += 1,
            "}" | ")" | "]" => {
                depth = depth.saturating_sub(1);
                if depth == 0 && token.text == "}" {
                    return at + 1;
                }
            }
            ";" if depth == 0 => return at + 1,
            _ => {}
        }
    }
    tokens.len()
}

/// Names that come first in a path, and their line: of our own modules after `crate::`, of crates else.
pub fn paths(tokens: &[Token]) -> (Vec<Token>, Vec<Token>) {
    let text = |at: usize| tokens.get(at).map_or("", |token| token.text.as_str());
    let (mut own, mut outer) = (Vec::new(), Vec::new());
    for at in 0..tokens.len() {
        match (text(at), text(at + 1)) {
            ("crate", "::") if text(at + 2) == "{" => own.extend(braces(tokens, at + 2)),
            ("crate", "::") => own.extend(tokens.get(at + 2).cloned()),
            ("use", "{") => outer.extend(braces(tokens, at + 1)),
            ("use", "::") => outer.extend(tokens.get(at + 2).cloned()),
            ("use", _) => outer.extend(tokens.get(at + 1).cloned()),
            (_, "::") if at == 0 || !matches!(text(at - 1), "::" | ".") => {
                outer.push(tokens[at].clone());
            }
            _ => {}
        }
    }
    (own, outer)
}

/// The first names within the braces of a `use`.
fn braces(tokens: &[Token], open: usize) -> Vec<Token> {
    let mut depth = 0_usize;
    let mut names = Vec::new();
    for (at, token) in tokens.iter().enumerate().skip(open) {
        match token.text.as_str() {
            "{" => depth += 1,
            "}" if depth == 1 => break,
            "}" => depth -= 1,
            _ if depth == 1 && matches!(tokens[at - 1].text.as_str(), "{" | ",") => {
                names.push(token.clone());
            }
            _ => {}
        }
    }
    names
}
