//! Removes names that cannot be requested from the pages of a listing. The client would reject a
//! page that contains such names.

use std::sync::{Arc, Mutex, PoisonError};

use object_store::client::{HttpError, HttpResponse, HttpResponseBody};
use object_store::path::Path;

/// Names removed from listings.
#[derive(Clone, Debug, Default)]
pub(crate) struct RemovedNames(Arc<Mutex<Vec<String>>>);

impl RemovedNames {
    /// Returns the names found so far, sorted and without duplicates, and clears the list.
    pub fn take(&self) -> Vec<String> {
        let mut names = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let mut names = std::mem::take(&mut *names);
        names.sort();
        names.dedup();
        names
    }

    /// Removes names that cannot be requested from a page.
    pub async fn filter(&self, page: HttpResponse) -> Result<HttpResponse, HttpError> {
        let (mut parts, body) = page.into_parts();
        let bytes = body.bytes().await?;
        let filtered = std::str::from_utf8(&bytes).ok().and_then(without_odd);
        let Some((text, names)) = filtered else {
            return Ok(HttpResponse::from_parts(parts, bytes.into()));
        };
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        known.extend(names);
        drop(known);
        // Drop the length, because the body is shorter now.
        parts.headers.remove("content-length");
        Ok(HttpResponse::from_parts(
            parts,
            HttpResponseBody::from(text),
        ))
    }
}

/// Maximum length of a name in bytes. No store allows longer names.
const LONGEST: usize = 4096;

/// XML tags of an object and of its name. The first row is for S3 and Google, the second for Azure.
const FORMS: [[&str; 4]; 2] = [
    ["<Contents>", "</Contents>", "<Key>", "</Key>"],
    ["<Blob>", "</Blob>", "<Name>", "</Name>"],
];

/// Removes objects whose names cannot be requested from a page. Returns the new page and the names.
/// `None` if there are no such names.
fn without_odd(page: &str) -> Option<(String, Vec<String>)> {
    let [begin, end, name, name_end] = FORMS.into_iter().find(|form| page.contains(form[0]))?;
    let (mut kept, mut odd, mut rest) = (String::new(), Vec::new(), page);
    while let Some(at) = rest.find(begin) {
        let (before, from) = rest.split_at(at);
        let Some(length) = from.find(end) else { break };
        let (object, after) = from.split_at(length + end.len());
        kept.push_str(before);
        let name = object.split_once(name);
        let name = name.and_then(|(_, from)| from.split_once(name_end));
        let name = name.map(|(name, _)| plain(name));
        let is_odd = |name: &String| name.len() > LONGEST || Path::parse(name).is_err();
        match name.filter(is_odd) {
            Some(name) => odd.push(name),
            None => kept.push_str(object),
        }
        rest = after;
    }
    (!odd.is_empty()).then(|| (kept + rest, odd))
}

/// Decodes XML entities.
fn plain(text: &str) -> String {
    let (mut plain, mut rest) = (String::with_capacity(text.len()), text);
    while let Some((before, from)) = rest.split_once('&') {
        plain.push_str(before);
        let Some((entity, after)) = from.split_once(';') else {
            plain.push('&');
            rest = from;
            continue;
        };
        let code = |digits: &str| {
            let hex = digits.strip_prefix(['x', 'X']);
            let code = hex.map_or_else(
                || digits.parse().ok(),
                |hex| u32::from_str_radix(hex, 16).ok(),
            );
            code.and_then(char::from_u32)
        };
        let sign = match entity {
            "amp" => Some('&'),
            "lt" => Some('<'),
            "gt" => Some('>'),
            "quot" => Some('"'),
            "apos" => Some('\''),
            other => other.strip_prefix('#').and_then(code),
        };
        plain.extend(sign);
        rest = after;
    }
    plain + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    fn blob(name: &str) -> String {
        format!("<Blob><Name>{name}</Name><Properties><Etag>1</Etag></Properties></Blob>")
    }

    #[test]
    fn names_that_cannot_be_asked_for_are_taken_out() {
        let long = "x/".repeat(3_000) + "y";
        let names = [
            "a/b.jsonl",
            &long,
            "a//b.jsonl",
            "a/../c.jsonl",
            "a&amp;b &lt;x&gt;",
            "a/&#x1;.jsonl",
            "f/",
        ];
        let blobs: String = names.map(blob).concat();
        let page = format!("<Blobs><BlobPrefix/>{blobs}</Blobs><NextMarker>m</NextMarker>");
        let (kept, odd) = without_odd(&page).unwrap();
        assert_eq!(
            odd,
            [long.as_str(), "a//b.jsonl", "a/../c.jsonl", "a/\u{1}.jsonl"]
        );
        let expected: String = ["a/b.jsonl", "a&amp;b &lt;x&gt;", "f/"].map(blob).concat();
        assert_eq!(
            kept,
            format!("<Blobs><BlobPrefix/>{expected}</Blobs><NextMarker>m</NextMarker>")
        );
        assert_eq!(without_odd(&kept), None);
        assert_eq!(
            without_odd("<Blob><Name>a//b"),
            None,
            "what is cut is left to the client"
        );
    }
}
