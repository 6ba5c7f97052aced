//! The one door to the network: every client of this program is made here, and knows where a redirect may lead it.
//!
//! A client that holds a credential is led nowhere: the place that a server names was named by nobody else. One without a
//! credential is led on at the same host; files of the Hugging Face hub lie on further hosts of its own.

use reqwest::redirect::{Attempt, Policy};
use reqwest::{ClientBuilder, Url};

/// Redirects of one request that are followed.
const MOST: usize = 5;
/// The hub, and where it keeps large files.
const HUB: &str = "huggingface.co";
const HUB_FILES: [&str; 2] = [".huggingface.co", ".hf.co"];

/// Where a redirect may lead.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Follow {
    /// Nowhere.
    Nothing,
    /// To another path of the same host.
    SameHost,
    /// There, and from the hub to the hosts of its files, without the token.
    Hub,
}

/// A client to be finished. A redirect that is not followed comes back as the answer.
pub fn http(follow: Follow) -> ClientBuilder {
    prepare_tls();
    let policy = match follow {
        Follow::Nothing => Policy::none(),
        _ => Policy::custom(move |attempt: Attempt<'_>| {
            let from = attempt.previous().last();
            let may = from.is_some_and(|from| leads(follow, from, attempt.url()));
            if may && attempt.previous().len() <= MOST {
                attempt.follow()
            } else {
                attempt.stop()
            }
        }),
    };
    ClientBuilder::new().redirect(policy)
}

/// Chooses the cryptography of all encrypted connections of this process.
pub fn prepare_tls() {
    // A second start in the same process finds it installed.
    let _ = rustls::crypto::ring::default_provider().install_default();
}

/// Returns true if a redirect may be followed.
fn leads(follow: Follow, from: &Url, to: &Url) -> bool {
    let is_safe = to.scheme() == "https" || from.scheme() == "http";
    let same_port = from.port_or_known_default() == to.port_or_known_default();
    let to_usual_ports = from.port().is_none() && to.port().is_none();
    let same_host = from.host() == to.host() && (same_port || to_usual_ports);
    let (from, host) = (from.host_str().unwrap_or_default(), to.host_str());
    let is_hub = from == HUB || HUB_FILES.iter().any(|end| from.ends_with(end));
    let to_files = host.is_some_and(|host| HUB_FILES.iter().any(|end| host.ends_with(end)));
    let on_hub = follow == Follow::Hub && is_hub && to_files && to.scheme() == "https";
    follow != Follow::Nothing && is_safe && (same_host || on_hub)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_redirect_leads_to_no_host_that_nobody_named() {
        for (follow, from, to, may) in [
            (Follow::SameHost, "http://h/a", "http://h/b", true),
            (Follow::SameHost, "http://h/a", "https://h/b", true),
            (Follow::SameHost, "http://h:8000/a", "http://h:8000/b", true),
            (Follow::SameHost, "https://h/a", "http://h/b", false),
            (Follow::SameHost, "http://h/a", "http://other/b", false),
            (Follow::SameHost, "http://h/a", "http://h.other/b", false),
            (Follow::SameHost, "http://h/a", "http://h:8001/b", false),
            (Follow::SameHost, "http://h:80/a", "https://h:8443/b", false),
            (
                Follow::SameHost,
                "http://127.0.0.1/a",
                "http://localhost/a",
                false,
            ),
            (Follow::Nothing, "http://h/a", "http://h/b", false),
            (
                Follow::Hub,
                "https://huggingface.co/a",
                "https://cdn-lfs.hf.co/b",
                true,
            ),
            (
                Follow::Hub,
                "https://huggingface.co/a",
                "http://cdn-lfs.hf.co/b",
                false,
            ),
            (
                Follow::Hub,
                "https://huggingface.co/a",
                "https://evilhf.co/b",
                false,
            ),
            (
                Follow::Hub,
                "https://mirror/a",
                "https://cdn-lfs.hf.co/b",
                false,
            ),
            (
                Follow::SameHost,
                "https://huggingface.co/a",
                "https://cdn-lfs.hf.co/b",
                false,
            ),
        ] {
            let [from, to] = [from, to].map(|url| Url::parse(url).unwrap());
            assert_eq!(leads(follow, &from, &to), may, "{follow:?} {from} {to}");
        }
    }
}
