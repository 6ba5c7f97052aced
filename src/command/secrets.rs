//! Removes keys and passwords from messages that repeat addresses.

use std::io::Write as _;

use super::stderr::stderr;
use std::process::ExitCode;

use ask::client::without_secrets;
use store::Address;

/// Removes secrets from addresses in a message: a password before the host, and everything after
/// `?`. Valid store addresses contain none and stay.
pub fn hidden(text: &str) -> String {
    let mut hidden = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find("://") {
        let is_of_scheme = |c: &char| c.is_ascii_alphanumeric() || matches!(c, '+' | '-' | '.');
        let before = rest.get(..at).unwrap_or_default();
        let scheme: usize = before.chars().rev().take_while(is_of_scheme).count();
        let (words, address) = rest.split_at(at - scheme);
        hidden.push_str(words);
        let end =
            address.find(|c: char| c.is_whitespace() || matches!(c, '`' | '\'' | '"' | '<' | '>'));
        let (address, more) = address.split_at(end.unwrap_or(address.len()));
        let is_open = matches!(Address::parse(address), Some(Ok(_)));
        if is_open || !address.contains(['?', '@']) {
            hidden.push_str(address);
        } else {
            hidden.push_str(&without_secrets(address));
        }
        rest = more;
    }
    hidden + rest
}

/// Prints a command line error without secrets and returns exit code 2.
pub fn refused(error: &clap::Error) -> ExitCode {
    let said = error.render().to_string();
    let safe = hidden(&said);
    if said == safe {
        error.exit();
    }
    // Without stderr there is no place for the message.
    let _ = stderr().write_all(safe.as_bytes());
    ExitCode::from(2)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn secrets_are_hidden_and_the_rest_is_as_it_was() {
        for (text, expected) in [
            (
                "s3://b/x?X-Amz-Signature=SECRET does not exist",
                "s3://b/x… does not exist",
            ),
            (
                "error: unexpected argument 'abfss://c@h/x?sig=SECRET' found",
                "error: unexpected argument 'abfss://h/x…' found",
            ),
            ("`https://me:SECRET@host/x`: no", "`https://host/x`: no"),
            (
                "s3://team/a b: nothing; clickhouse://me@h:1/db?cluster=two is there",
                "s3://team/a b: nothing; clickhouse://me@h:1/db?cluster=two is there",
            ),
            ("no address; what? @home", "no address; what? @home"),
            ("://", "://"),
            ("ü://x?SECRET", "ü://x…"),
        ] {
            assert_eq!(hidden(text), expected);
        }
    }
}
