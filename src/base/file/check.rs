//! Check field of a JSON line: length and hash, which prove that the line is complete.
//!
//! The check is the last field of the object: `{"verdict":"ok","check":"16:0123456789abcdef"}`. The
//! number before the colon is the length in bytes of the object without this field. After the colon
//! are the first 16 hexadecimal digits of the BLAKE3 hash of these bytes. Other JSON readers can
//! ignore the field. Lines without it are accepted.

use memchr::memmem;

/// Text before the length.
const KEY: &[u8] = b",\"check\":\"";
/// Text after the hash.
const END: &[u8] = b"\"}";
/// Number of hexadecimal digits of the hash.
const DIGITS: usize = 16;
/// Maximum number of hashed bytes per byte of a line. Bounds the time for malicious lines.
const EFFORT: usize = 8;

/// A byte range of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Part {
    pub(crate) start: usize,
    pub(crate) end: usize,
    pub(crate) proof: CheckResult,
}

/// Result of checking a part of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CheckResult {
    /// Length and hash match.
    Whole,
    /// The part has no check field.
    Absent,
    /// Length or hash does not match.
    Failed,
}

/// Returns a JSON object with its check field added. A value that is not an object is unchanged.
pub(crate) fn stamped(object: &[u8]) -> Vec<u8> {
    match object.strip_suffix(b"}") {
        Some(open) if object.len() > 2 => {
            let check = format!("{}:{}", object.len(), hash(open));
            [open, KEY, check.as_bytes(), END].concat()
        }
        _ => object.to_vec(),
    }
}

/// Returns the hash of a JSON object; `open` is the object without its closing brace.
fn hash(open: &[u8]) -> String {
    let mut hasher = blake3::Hasher::new();
    hasher.update(open).update(b"}");
    let mut hash = hasher.finalize().to_hex().to_string();
    hash.truncate(DIGITS);
    hash
}

/// A check field found in a line.
struct CheckField<'a> {
    /// Offset of the field in the line.
    at: usize,
    /// Offset after the closing brace of the object.
    end: usize,
    length: usize,
    hash: &'a [u8],
}

impl<'a> CheckField<'a> {
    fn read(line: &'a [u8], at: usize) -> Option<Self> {
        let text = line.get(at + KEY.len()..)?;
        let digits = text.iter().take_while(|byte| byte.is_ascii_digit()).count();
        let length = std::str::from_utf8(text.get(..digits)?).ok()?;
        let rest = text.get(digits..)?.strip_prefix(b":")?;
        let (hash, rest) = rest.split_at_checked(DIGITS)?;
        rest.starts_with(END).then_some(Self {
            at,
            end: at + KEY.len() + digits + 1 + DIGITS + END.len(),
            length: length.parse().ok()?,
            hash,
        })
    }

    /// Returns the offset at which the checked object starts; `None` if the check does not match.
    fn start(&self, line: &[u8], effort: &mut usize) -> Option<usize> {
        let start = (self.at + 1).checked_sub(self.length)?;
        let open = line.get(start..self.at)?;
        *effort = effort.checked_sub(open.len())?;
        (open.first() == Some(&b'{') && hash(open).as_bytes() == self.hash).then_some(start)
    }
}

/// Splits a line into parts, usually one. Several objects on one line are separated where a check
/// matches. Text between such objects becomes a part of its own. Surrounding white space, zero
/// bytes and a byte order mark are dropped.
pub(crate) fn parts(line: &[u8]) -> Vec<Part> {
    let mut parts = Vec::new();
    let mut end = line.len();
    let mut effort = line.len().saturating_mul(EFFORT);
    // Search backwards: the last check covers the whole line, in which earlier checks may be
    // nested.
    for at in memmem::rfind_iter(line, KEY) {
        let found = CheckField::read(line, at).filter(|found| found.end <= end);
        let proven = found.and_then(|found| Some((found.start(line, &mut effort)?, found.end)));
        if let Some((start, stop)) = proven {
            parts.extend(unproven(line, stop, end));
            let proof = CheckResult::Whole;
            parts.push(Part {
                start,
                end: stop,
                proof,
            });
            end = start;
        }
    }
    parts.extend(unproven(line, 0, end));
    parts.reverse();
    parts
}

/// Returns the text between two offsets as a part without a valid check; `None` if it is blank.
fn unproven(line: &[u8], from: usize, to: usize) -> Option<Part> {
    let text = line.get(from..to)?;
    let mark = if text.starts_with(b"\xef\xbb\xbf") {
        3
    } else {
        0
    };
    let text = text.get(mark..)?;
    let is_empty = |byte: &u8| byte.is_ascii_whitespace() || *byte == 0;
    let before = text.iter().take_while(|byte| is_empty(byte)).count();
    let after = text.iter().rev().take_while(|byte| is_empty(byte)).count();
    let (start, end) = (from + mark + before, to.saturating_sub(after));
    let text = line.get(start..end).filter(|text| !text.is_empty())?;
    let check = memmem::rfind(text, KEY).and_then(|at| CheckField::read(text, at));
    let has_check = check.is_some_and(|found| found.end == text.len());
    let proof = if has_check {
        CheckResult::Failed
    } else {
        CheckResult::Absent
    };
    Some(Part { start, end, proof })
}

#[cfg(test)]
mod tests {
    use super::*;

    const A: &[u8] = br#"{"line":"done","text":"a, \"check\":\"1:0\"}"}"#;
    const B: &[u8] = br#"{"line":"try","n":[1,{"b":2}]}"#;

    fn found(line: &[u8]) -> Vec<(Vec<u8>, CheckResult)> {
        parts(line)
            .into_iter()
            .map(|part| (line[part.start..part.end].to_vec(), part.proof))
            .collect()
    }

    #[test]
    fn the_form_is_fixed() {
        let line = stamped(br#"{"verdict":"ok"}"#);
        let hash = blake3::hash(br#"{"verdict":"ok"}"#).to_hex();
        let expected = format!(r#"{{"verdict":"ok","check":"16:{}"}}"#, &hash[..16]);
        assert_eq!(String::from_utf8(line.clone()).unwrap(), expected);
        let json: serde_json::Value = serde_json::from_slice(&line).unwrap();
        assert_eq!(json["verdict"], "ok");
        assert_eq!(stamped(b"{}"), b"{}");
    }

    #[test]
    fn lines_with_and_without_a_check_are_one_part() {
        assert_eq!(found(&stamped(A)), [(stamped(A), CheckResult::Whole)]);
        let around = [b"\xef\xbb\xbf ", A, b"\r\n"].concat();
        assert_eq!(found(&around), [(A.to_vec(), CheckResult::Absent)]);
        assert!(found(b" \0\0 \n").is_empty());
        let mut changed = stamped(A);
        changed[10] ^= 1;
        assert_eq!(found(&changed), [(changed.clone(), CheckResult::Failed)]);
    }

    #[test]
    fn lines_that_ran_into_each_other_are_told_apart() {
        let (a, b) = (stamped(A), stamped(B));
        let half = &a[..a.len() / 2];
        let whole = |line: &Vec<u8>| (line.clone(), CheckResult::Whole);
        let torn = |line: &[u8]| (line.to_vec(), CheckResult::Absent);
        assert_eq!(found(&[half, &b].concat()), [torn(half), whole(&b)]);
        assert_eq!(found(&[&b[..], half].concat()), [whole(&b), torn(half)]);
        assert_eq!(found(&[&a[..], &b].concat()), [whole(&a), whole(&b)]);
        assert_eq!(found(&[b"\0\0\0", &a[..]].concat()), [whole(&a)]);
        assert_eq!(
            found(&[half, &b, half, &a].concat()),
            [torn(half), whole(&b), torn(half), whole(&a)]
        );
    }

    #[test]
    fn a_check_within_a_line_is_not_the_lines_own() {
        let inner = String::from_utf8(stamped(B)).unwrap();
        let line = stamped(format!(r#"{{"logprobs":{inner},"n":1}}"#).as_bytes());
        assert_eq!(found(&line), [(line.clone(), CheckResult::Whole)]);
        let merged = [&line[..4], &line].concat();
        assert_eq!(found(&merged)[1], (line.clone(), CheckResult::Whole));
        assert_eq!(found(&merged).len(), 2);
    }

    #[test]
    fn a_line_of_false_checks_takes_no_time() {
        let mut line = vec![b'{'];
        while line.len() < 2_000_000 {
            let length = line.len() + 1;
            line.extend(format!(r#","check":"{length}:0123456789abcdef"}}"#).bytes());
        }
        let mut effort = line.len() * EFFORT;
        let hashed = memmem::rfind_iter(&line, KEY).filter(|at| {
            let found = CheckField::read(&line, *at).unwrap();
            let before = effort;
            found.start(&line, &mut effort);
            effort < before
        });
        let hashed = hashed.count();
        assert!(hashed > 0 && hashed < 10_000, "{hashed}");
        assert_eq!(parts(&line).len(), 1);
    }
}
