//! Creates every HTTP client of this program, with rules for redirects.
//!
//! A client with credentials follows no redirect, because the server chooses the target. A client
//! without credentials follows redirects to the same host. For the Hugging Face hub, redirects to
//! its file hosts are also followed.

use std::net::IpAddr;

use reqwest::redirect::{Attempt, Policy};
use reqwest::{ClientBuilder, Url};

/// Maximum number of redirects of one request.
const MOST: usize = 5;
/// Host of the Hugging Face hub.
const HUB: &str = "huggingface.co";
/// Domains of the hub's file servers.
const HUB_FILES: [&str; 2] = [".huggingface.co", ".hf.co"];

/// Redirects that a client may follow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RedirectPolicy {
    /// No redirect is followed.
    Nothing,
    /// Redirects to the same host are followed.
    SameHost,
    /// Redirects to the same host are followed, and redirects from the hub to its file hosts, but
    /// these without the token.
    Hub,
}

/// Returns a client builder. If a redirect is not followed, it is returned as the response.
pub fn http(follow: RedirectPolicy) -> ClientBuilder {
    prepare_tls();
    let policy = match follow {
        RedirectPolicy::Nothing => Policy::none(),
        _ => Policy::custom(move |attempt: Attempt<'_>| {
            let from = attempt.previous().last();
            let may = from.is_some_and(|from| may_follow(follow, from, attempt.url()));
            if may && attempt.previous().len() <= MOST {
                attempt.follow()
            } else {
                attempt.stop()
            }
        }),
    };
    ClientBuilder::new().redirect(policy)
}

/// Installs the TLS cryptography provider of this process.
pub fn prepare_tls() {
    // An error means that a provider is already installed.
    let _ = rustls::crypto::ring::default_provider().install_default();
}

/// Returns true if a redirect may be followed. Its target must be on the same host or one of the
/// hub's file hosts. Redirects from https to http are never followed.
fn may_follow(follow: RedirectPolicy, from: &Url, to: &Url) -> bool {
    let is_safe = to.scheme() == "https" || from.scheme() == "http";
    let same_port = from.port_or_known_default() == to.port_or_known_default();
    let to_usual_ports = from.port().is_none() && to.port().is_none();
    let same_host = from.host() == to.host() && (same_port || to_usual_ports);
    let (from, host) = (from.host_str().unwrap_or_default(), to.host_str());
    let is_hub = from == HUB || HUB_FILES.iter().any(|end| from.ends_with(end));
    let to_files = host.is_some_and(|host| HUB_FILES.iter().any(|end| host.ends_with(end)));
    let on_hub = follow == RedirectPolicy::Hub && is_hub && to_files && to.scheme() == "https";
    follow != RedirectPolicy::Nothing && is_safe && (same_host || on_hub)
}

/// Returns true if the server is on this machine or in its local network.
pub fn is_local(base: &Url) -> bool {
    let host = base.host_str().unwrap_or_default();
    let address: Option<IpAddr> = host.trim_matches(['[', ']']).parse().ok();
    match address {
        Some(IpAddr::V4(address)) => address.is_loopback() || address.is_private(),
        Some(IpAddr::V6(address)) => address.is_loopback() || address.is_unique_local(),
        None => host == "localhost" || !host.contains('.'),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_redirect_leads_to_no_host_that_nobody_named() {
        for (follow, from, to, may) in [
            (RedirectPolicy::SameHost, "http://h/a", "http://h/b", true),
            (RedirectPolicy::SameHost, "http://h/a", "https://h/b", true),
            (
                RedirectPolicy::SameHost,
                "http://h:8000/a",
                "http://h:8000/b",
                true,
            ),
            (RedirectPolicy::SameHost, "https://h/a", "http://h/b", false),
            (
                RedirectPolicy::SameHost,
                "http://h/a",
                "http://other/b",
                false,
            ),
            (
                RedirectPolicy::SameHost,
                "http://h/a",
                "http://h.other/b",
                false,
            ),
            (
                RedirectPolicy::SameHost,
                "http://h/a",
                "http://h:8001/b",
                false,
            ),
            (
                RedirectPolicy::SameHost,
                "http://h:80/a",
                "https://h:8443/b",
                false,
            ),
            (
                RedirectPolicy::SameHost,
                "http://127.0.0.1/a",
                "http://localhost/a",
                false,
            ),
            (RedirectPolicy::Nothing, "http://h/a", "http://h/b", false),
            (
                RedirectPolicy::Hub,
                "https://huggingface.co/a",
                "https://cdn-lfs.hf.co/b",
                true,
            ),
            (
                RedirectPolicy::Hub,
                "https://huggingface.co/a",
                "http://cdn-lfs.hf.co/b",
                false,
            ),
            (
                RedirectPolicy::Hub,
                "https://huggingface.co/a",
                "https://evilhf.co/b",
                false,
            ),
            (
                RedirectPolicy::Hub,
                "https://mirror/a",
                "https://cdn-lfs.hf.co/b",
                false,
            ),
            (
                RedirectPolicy::SameHost,
                "https://huggingface.co/a",
                "https://cdn-lfs.hf.co/b",
                false,
            ),
        ] {
            let [from, to] = [from, to].map(|url| Url::parse(url).unwrap());
            assert_eq!(
                may_follow(follow, &from, &to),
                may,
                "{follow:?} {from} {to}"
            );
        }
    }
}
