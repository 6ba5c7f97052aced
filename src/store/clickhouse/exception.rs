//! Finds exceptions in answers: by HTTP status, by error code in a header, or inside a body.

use crate::Secret;
use memchr::memmem::find;
use reqwest::header::HeaderMap;

use super::ClickHouseError;

/// Header with the error code of an exception.
const CODE: &str = "x-clickhouse-exception-code";
/// Header with the tag that marks an exception inside a body. Servers send it since version 25.11.
const TAG: &str = "x-clickhouse-exception-tag";
/// Marker around an exception block, next to the tag.
const MARK: &[u8] = b"__exception__";
/// Prefix of every exception text, followed by the error code.
const BEGINS: &str = "Code: ";
/// Number of bytes at the end of a body that are searched for an exception.
const LONGEST: usize = 32 << 10;
/// Maximum number of characters of the server's message in our message.
const SHOWN: usize = 300;

/// Checks that an answer contains no exception.
///
/// # Errors
/// The exception, if the answer contains one.
pub fn check(
    status: u16,
    headers: &HeaderMap,
    body: &[u8],
    secret: &Secret,
) -> Result<(), ClickHouseError> {
    let header = |name: &str| headers.get(name).and_then(|value| value.to_str().ok());
    let code = header(CODE).and_then(|code| code.trim().parse().ok());
    let code = code.filter(|&code: &u32| code != 0);
    if (200..300).contains(&status) && code.is_none() {
        let tag = header(TAG).map(str::trim).filter(|tag| !tag.is_empty());
        return match tag.and_then(|tag| within(body, tag.as_bytes())) {
            Some(exception) => Err(refused(None, status, exception, secret)),
            None => Ok(()),
        };
    }
    Err(refused(code, status, body, secret))
}

/// Finds the exception at the end of a body that ends in the middle of a row. Old servers append
/// exceptions without a tag.
pub fn at_end(body: &[u8], secret: &Secret) -> Option<ClickHouseError> {
    let end = tail(body);
    let at = find(end, BEGINS.as_bytes())?;
    let text = end.get(at..)?;
    find(text, b"DB::")?;
    Some(refused(None, 0, text, secret))
}

/// Returns the text of the exception with this tag at the end of a body.
fn within<'a>(body: &'a [u8], tag: &[u8]) -> Option<&'a [u8]> {
    let mut rest = tail(body);
    // A row can contain the marker, but not followed by this tag.
    while let Some(at) = find(rest, MARK) {
        rest = rest.get(at + MARK.len()..)?;
        if let Some(text) = rest.trim_ascii_start().strip_prefix(tag) {
            return Some(text.trim_ascii_start());
        }
    }
    None
}

fn tail(body: &[u8]) -> &[u8] {
    let from = body.len().saturating_sub(LONGEST);
    body.get(from..).unwrap_or(body)
}

/// Creates an error from the server's message, which starts with the error code.
fn refused(code: Option<u32>, status: u16, body: &[u8], secret: &Secret) -> ClickHouseError {
    let text = String::from_utf8_lossy(tail(body));
    let text = secret.scrub(text.trim());
    let number = || {
        let rest = text.strip_prefix(BEGINS)?;
        rest.split(|c: char| !c.is_ascii_digit())
            .next()?
            .parse()
            .ok()
    };
    let code = code.or_else(number);
    let said = words(&text);
    match (code, status) {
        (Some(code), _) => ClickHouseError::Refused { code, said },
        (None, 401 | 403) => ClickHouseError::Refused { code: 193, said },
        (None, _) => ClickHouseError::Other { status, said },
    }
}

/// Returns the server's message on one line, without error code, version and stack trace.
fn words(text: &str) -> String {
    let text = text.split("Stack trace").next().unwrap_or_default();
    let text = text
        .split_once("Exception: ")
        .map_or(text, |(_, rest)| rest);
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let mut chars = line.chars();
    let mut shown: String = chars.by_ref().take(SHOWN).collect();
    if chars.next().is_some() {
        shown.push('…');
    }
    base::format::visible(&shown).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn headers(pairs: &[(&'static str, &'static str)]) -> HeaderMap {
        let pairs = pairs.iter().map(|(name, value)| {
            let name = reqwest::header::HeaderName::from_static(name);
            (name, reqwest::header::HeaderValue::from_static(value))
        });
        pairs.collect()
    }

    fn checked(
        status: u16,
        pairs: &[(&'static str, &'static str)],
        body: &[u8],
    ) -> Result<(), ClickHouseError> {
        check(status, &headers(pairs), body, &Secret::default())
    }

    #[test]
    fn an_exception_is_found_wherever_it_stands() {
        let old = b"Code: 241, e.displayText() = DB::Exception: Memory limit\x1b[2J, e.what() = DB::Exception";
        let new = b"rows\0\r\n__exception__\r\nTaGtAg\r\nCode: 159. DB::Exception: Timeout\r\n35 TaGtAg\r\n__exception__\r\n";
        let glued =
            b"rows\n__exception__TaGtAg\nCode: 32. DB::Exception: gone\n9 TaGtAg__exception__\n";
        let tag = [("x-clickhouse-exception-tag", "TaGtAg")];
        for (status, pairs, body, code) in [
            (500, &[][..], &old[..], 241),
            (200, &tag[..], &new[..], 159),
            (200, &tag[..], &glued[..], 32),
            (
                200,
                &[("x-clickhouse-exception-code", "60")][..],
                &b"x"[..],
                60,
            ),
            (401, &[][..], &b"denied"[..], 193),
        ] {
            let error = checked(status, pairs, body).unwrap_err();
            assert_eq!(error.code(), Some(code), "{error}");
            assert!(!error.to_string().contains('\u{1b}'));
        }
        let other = checked(502, &[], b"<html>Bad Gateway").unwrap_err();
        assert!(other.to_string().contains("status 502"), "{other}");
    }

    #[test]
    fn rows_that_look_like_an_exception_are_rows() {
        let rows = b"__exception__ Code: 32. DB::Exception: said a model";
        assert_eq!(checked(200, &[], rows), Ok(()));
        assert_eq!(
            checked(200, &[("x-clickhouse-exception-tag", "other")], rows),
            Ok(())
        );
        assert_eq!(at_end(rows, &Secret::default()).unwrap().code(), Some(32));
        assert_eq!(at_end(b"rows", &Secret::default()), None);
    }

    #[test]
    fn the_password_is_not_repeated() {
        let secret = Secret::new(Some("pass-CANARY".to_owned()));
        let body = b"Code: 62. DB::Exception: near pass-CANARY";
        let error = check(400, &HeaderMap::new(), body, &secret).unwrap_err();
        assert!(!format!("{error} {error:?}").contains("CANARY"));
    }
}
