//! Parses texts written by Python's `str(dict)`. They contain single quotes, `nan`, `None` and
//! `np.float64(0.5)`.

use serde_json::{Map, Value as Json};

/// Maximum nesting depth of a value.
const DEEPEST: usize = 32;

/// Converts a Python value to JSON; `nan` and infinities become null.
///
/// # Errors
/// If the text is not a Python value; the message contains the position.
pub fn parse(text: &str) -> Result<Json, String> {
    let mut parser = Parser { text, at: 0 };
    let value = parser.value(0)?;
    parser.space();
    if parser.rest().is_empty() {
        Ok(value)
    } else {
        Err(parser.wrong())
    }
}

struct Parser<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Parser<'a> {
    fn rest(&self) -> &'a str {
        self.text.get(self.at..).unwrap_or_default()
    }

    fn wrong(&self) -> String {
        format!("not a Python value at character {}", self.at + 1)
    }

    fn space(&mut self) {
        let rest = self.rest();
        self.at += rest.len() - rest.trim_start().len();
    }

    fn take(&mut self, token: &str) -> bool {
        self.space();
        let found = self.rest().starts_with(token);
        self.at += if found { token.len() } else { 0 };
        found
    }

    fn value(&mut self, depth: usize) -> Result<Json, String> {
        if depth > DEEPEST {
            return Err(self.wrong());
        }
        self.space();
        match self.rest().chars().next() {
            Some('{') => self.dict(depth),
            Some('[') => self.list("[", "]", depth),
            Some('(') => self.list("(", ")", depth),
            Some(quote @ ('\'' | '"')) => Ok(Json::String(self.string(quote)?)),
            Some(_) => self.word(depth),
            None => Err(self.wrong()),
        }
    }

    fn dict(&mut self, depth: usize) -> Result<Json, String> {
        self.take("{");
        let mut found = Map::new();
        while !self.take("}") {
            let key = match self.value(depth + 1)? {
                Json::String(key) => key,
                other => other.to_string(),
            };
            if !self.take(":") {
                return Err(self.wrong());
            }
            let value = self.value(depth + 1)?;
            found.insert(key, value);
            self.comma("}")?;
        }
        Ok(Json::Object(found))
    }

    fn list(&mut self, open: &str, close: &str, depth: usize) -> Result<Json, String> {
        self.take(open);
        let mut found = Vec::new();
        while !self.take(close) {
            found.push(self.value(depth + 1)?);
            self.comma(close)?;
        }
        Ok(Json::Array(found))
    }

    /// Skips a comma. Without a comma, the closing bracket `close` must follow.
    fn comma(&mut self, close: &str) -> Result<(), String> {
        self.space();
        if self.take(",") || self.rest().starts_with(close) {
            Ok(())
        } else {
            Err(self.wrong())
        }
    }

    fn string(&mut self, quote: char) -> Result<String, String> {
        let mut found = String::new();
        let mut escaped = false;
        for (at, c) in self.rest().char_indices().skip(1) {
            if escaped {
                found.push(c);
                escaped = false;
            } else if c == '\\' {
                escaped = true;
            } else if c == quote {
                self.at += at + c.len_utf8();
                return Ok(found);
            } else {
                found.push(c);
            }
        }
        Err(self.wrong())
    }

    /// Parses a number, a name, or a call. A call is replaced by its argument: `np.float64(0.5)`,
    /// `array([1, 2])`.
    fn word(&mut self, depth: usize) -> Result<Json, String> {
        let rest = self.rest();
        let ends = |c: char| matches!(c, ',' | ':' | '}' | ']' | ')' | '(') || c.is_whitespace();
        let end = rest.find(ends).unwrap_or(rest.len());
        let word = rest.get(..end).unwrap_or_default();
        let start = self.at;
        self.at += end;
        if !word.is_empty() && self.rest().starts_with('(') {
            let Json::Array(arguments) = self.list("(", ")", depth)? else {
                return Err(self.wrong());
            };
            return Ok(arguments.into_iter().next().unwrap_or(Json::Null));
        }
        match word {
            "None" | "nan" | "NaN" | "inf" | "-inf" => Ok(Json::Null),
            "True" => Ok(Json::Bool(true)),
            "False" => Ok(Json::Bool(false)),
            number => number.parse::<f64>().map(Json::from).map_err(|_| {
                self.at = start;
                self.wrong()
            }),
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::parse;

    #[test]
    fn what_python_prints_is_read() {
        let text = "{'mIoU': np.float64(0.5), 'x': {'right': 1, \"up\": nan}, 'd': [1e-3, -2.0, None, True], 't': (1,)}";
        let expected = json!({"mIoU": 0.5, "x": {"right": 1.0, "up": null}, "d": [0.001, -2.0, null, true], "t": [1.0]});
        assert_eq!(parse(text).unwrap(), expected);
        assert_eq!(parse("{}").unwrap(), json!({}));
    }

    #[test]
    fn what_is_no_value_is_told_with_its_place() {
        assert_eq!(
            parse("{'a': }").unwrap_err(),
            "not a Python value at character 7"
        );
        assert!(parse("{'a': 1").is_err());
        assert!(parse(&"[".repeat(10_000)).is_err());
    }

    proptest! {
        #[test]
        fn any_text_is_a_value_or_an_error_with_its_place(text in "[\\[\\]{}(),:'\"a-z0-9. ]{0,60}") {
            match parse(&text) {
                Ok(value) => prop_assert_eq!(parse(&format!("[{text}]")), Ok(json!([value]))),
                Err(error) => {
                    let place = error.strip_prefix("not a Python value at character ");
                    let place = place.and_then(|place| place.parse::<usize>().ok());
                    prop_assert!(place.is_some_and(|place| (1..=text.len() + 1).contains(&place)), "{}", error);
                }
            }
        }
    }
}
