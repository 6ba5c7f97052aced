//! Base address of an endpoint: joins paths to it and hides the secrets in it.

use std::net::IpAddr;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use reqwest::Url;

use super::setup::EndpointError;
use store::{Secret, is_local};

/// Joins a path to the base address and keeps the base's query. A leading `../`
/// drops the base's last segment.
pub fn at(base: &Url, path: &str) -> Url {
    let mut url = base.clone();
    let start = base.path().trim_end_matches('/');
    let path = match path.strip_prefix("../") {
        Some(rest) => {
            let up = start.rsplit_once('/').map_or("", |(up, _)| up);
            format!("{up}/{rest}")
        }
        None => format!("{start}/{path}"),
    };
    url.set_path(&path);
    url
}

/// Returns an address without user, password and query, for messages. If the end of a password is
/// unclear, only the scheme is left.
pub fn without_secrets(address: &str) -> String {
    let end = address.find(['?', '#']).unwrap_or(address.len());
    let (head, rest) = address.split_at(end);
    let more = if rest.is_empty() { "" } else { "…" };
    let (scheme, head) = match head.split_once("://") {
        Some((scheme, head)) => (format!("{scheme}://"), head),
        None => (String::new(), head),
    };
    match head.rsplit_once('@') {
        Some((_, host)) => format!("{scheme}{host}{more}"),
        // An unescaped `?` may belong to a password.
        None if rest.contains('@') => format!("{scheme}…"),
        None => format!("{scheme}{head}{more}"),
    }
}

/// Minimum number of consecutive letters and digits that may be a key.
const KEY: usize = 16;
/// Words before or in a part of a path that holds a key.
const KEY_WORDS: [&str; 5] = ["key", "token", "secret", "password", "sk-"];

/// Returns true if an address may hold a key: a user or password, a query, or a part of the path
/// that looks like a key. Such an address is not stored.
pub fn may_hold_key(address: &str) -> bool {
    if without_secrets(address) != address {
        return true;
    }
    let bare = address.split_once("://").map_or(address, |(_, bare)| bare);
    bare.split('/').skip(1).any(looks_like_key)
}

/// Returns true if a part of a path may be a key: it has a word for a key, a long mix of letters
/// and digits, or it is a UUID.
fn looks_like_key(part: &str) -> bool {
    let part = decoded(part).to_lowercase();
    let is_named = KEY_WORDS.iter().any(|word| part.contains(word));
    let has = |text: &str, is: fn(char) -> bool| text.chars().any(is);
    let mut words = part.split(|c: char| !c.is_ascii_alphanumeric());
    let is_mixed = words.any(|word| {
        let digits = has(word, |c| c.is_ascii_digit());
        word.len() >= KEY && digits && has(word, |c| c.is_ascii_alphabetic())
    });
    let lengths: Vec<usize> = part.split('-').map(str::len).collect();
    let is_hex = part.chars().all(|c| c.is_ascii_hexdigit() || c == '-');
    is_named || is_mixed || is_hex && lengths == [8, 4, 4, 4, 12]
}

/// Completes a typed address to a base address. Adds the scheme (`http` for local servers), adds
/// `/v1` to an address without a path, and removes a pasted path like `/chat/completions`. `None`
/// if the text is a name and not an address.
pub fn completed(typed: &str) -> Option<String> {
    let typed = typed.trim();
    let whole = if typed.contains("://") {
        typed.to_owned()
    } else {
        let url = Url::parse(&format!("http://{typed}")).ok()?;
        let host = url.host_str()?;
        // Neither a mistyped name like `gpt-4.2` nor a model like `qwen/qwen2` is an address.
        let is_number = host.trim_matches(['[', ']']).parse::<IpAddr>().is_ok();
        let is_host = host == "localhost" || is_number;
        let is_path = host.contains('.') && url.path() != "/";
        if typed.contains(char::is_whitespace) || !(is_host || is_path || url.port().is_some()) {
            return None;
        }
        let scheme = if is_local(&url) { "http" } else { "https" };
        format!("{scheme}://{typed}")
    };
    let Ok(mut url) = Url::parse(&whole) else {
        return Some(whole);
    };
    let path = url.path().trim_end_matches('/');
    let pasted = ["/chat/completions", "/completions", "/messages", "/models"];
    let base = pasted
        .iter()
        .find_map(|end| path.strip_suffix(end))
        .unwrap_or(path);
    if base == url.path() {
        return Some(whole);
    }
    let base = if base.is_empty() { "/v1" } else { base }.to_owned();
    url.set_path(&base);
    Some(url.into())
}

/// Parses a base address. Secrets in it are added to `secret`.
///
/// # Errors
/// The text is not an http or https address with a host.
pub fn base_of(address: &str, secret: &mut Secret) -> Result<Url, EndpointError> {
    let no_address = |why: String| EndpointError::Address {
        address: without_secrets(address),
        why,
    };
    let base = Url::parse(address).map_err(|error| no_address(error.to_string()))?;
    if !matches!(base.scheme(), "http" | "https") || !base.has_host() {
        return Err(no_address(
            "it must begin with http:// or https://".to_owned(),
        ));
    }
    hide_credentials(&base, secret);
    for (_, value) in base.query_pairs() {
        secret.hide(&value);
    }
    Ok(base)
}

/// Adds the password in an address to `secret`: as written, decoded, and as basic authentication.
fn hide_credentials(address: &Url, secret: &mut Secret) {
    let Some(password) = address.password() else {
        return;
    };
    let [user, plain] = [address.username(), password].map(decoded);
    secret.hide(&STANDARD.encode(format!("{user}:{plain}")));
    secret.hide(password);
    secret.hide(&plain);
}

/// Decodes the percent escapes of a text.
fn decoded(text: &str) -> String {
    let mut bytes = Vec::new();
    let mut rest = text.as_bytes();
    while let [first, after @ ..] = rest {
        let digits = after
            .get(..2)
            .and_then(|digits| str::from_utf8(digits).ok());
        let byte = digits.and_then(|digits| u8::from_str_radix(digits, 16).ok());
        rest = match (first, byte) {
            (b'%', Some(byte)) => {
                bytes.push(byte);
                after.get(2..).unwrap_or_default()
            }
            (plain, _) => {
                bytes.push(*plain);
                after
            }
        };
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

/// Adds the password in a proxy's address to `secret`. The scheme may be missing.
pub fn hide_proxy(address: &str, secret: &mut Secret) {
    let whole = if address.contains("://") {
        address.to_owned()
    } else {
        format!("http://{address}")
    };
    if let Ok(address) = Url::parse(&whole) {
        hide_credentials(&address, secret);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_may_be_a_secret_is_not_shown_of_a_text_that_is_no_address() {
        for (address, expected) in [
            ("localhost:8000", "localhost:8000"),
            ("localhost:8000?api_key=sk-1", "localhost:8000…"),
            ("http//h/v1?api_key=sk-1@2", "…"),
            ("ftp://me:pass@h/v1?key=sk-1", "ftp://h/v1…"),
            ("http://me:pa?ss@h/v1", "http://…"),
            ("http://me:p@ss@h v1#sk-1", "http://h v1…"),
            ("", ""),
        ] {
            assert_eq!(without_secrets(address), expected, "{address}");
        }
    }

    #[test]
    fn a_key_may_be_in_any_part_of_an_address() {
        for address in [
            "http://me:word@h/v1",
            "https://h/v1?x=1",
            "https://h/sk-abc/v1",
            "https://h/v1/9f86d081884c7d659a2feaa0c55ad015",
            "https://h/token/abc/v1",
            "h/550e8400-e29b-41d4-a716-446655440000/v1",
            "https://h/%73k-1/v1",
        ] {
            assert!(may_hold_key(address), "{address}");
        }
        for address in [
            "lab",
            "builtin:hog",
            "localhost:8000",
            "https://openrouter.ai/api/v1",
            "https://h.openai.azure.com/openai/deployments/gpt-4o-mini-2024-07-18",
            "https://generativelanguage.googleapis.com/v1beta/openai",
        ] {
            assert!(!may_hold_key(address), "{address}");
        }
    }

    #[test]
    fn an_address_may_be_typed_in_part() {
        for (typed, whole) in [
            ("localhost:8000", "http://localhost:8000/v1"),
            ("127.0.0.1:8000/v1", "http://127.0.0.1:8000/v1"),
            ("gpu7:8000", "http://gpu7:8000/v1"),
            ("[::1]:8000", "http://[::1]:8000/v1"),
            ("localhost", "http://localhost/v1"),
            ("api.openai.com/v1", "https://api.openai.com/v1"),
            ("http://h:8000/", "http://h:8000/v1"),
            ("http://h:8000/v1/", "http://h:8000/v1"),
            (" https://h/v1/chat/completions ", "https://h/v1"),
            ("https://h/api?key=1", "https://h/api?key=1"),
            ("https://h/v1/messages?key=1", "https://h/v1?key=1"),
            ("http://u:p%40s@h/v1", "http://u:p%40s@h/v1"),
        ] {
            assert_eq!(completed(typed).as_deref(), Some(whole), "{typed}");
        }
        for name in [
            "lab",
            "builtin:hog",
            "gpt-4.2",
            "qwen/qwen2",
            "my lab:80 x",
            "",
        ] {
            assert_eq!(completed(name), None, "{name}");
        }
    }

    #[test]
    fn a_password_is_hidden_in_each_spelling_in_which_it_may_come_back() {
        let mut secret = Secret::default();
        base_of("http://me:p%40ss-word@h/v1", &mut secret).unwrap();
        hide_proxy("you:other-word@proxy:3128", &mut secret);
        // base64 of `me:p@ss-word` and of `you:other-word`
        for seen in [
            "p%40ss-word",
            "p@ss-word",
            "bWU6cEBzcy13b3Jk",
            "other-word",
            "eW91Om90aGVyLXdvcmQ=",
        ] {
            assert_eq!(secret.scrub(seen), "<key>", "{seen}");
        }
    }
}
