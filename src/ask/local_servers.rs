//! Finds model servers on this machine, by asking the usual ports for their models.

use std::time::Duration;

use tokio::task::JoinSet;

use crate::client::{Endpoint, Limits, Setup};

/// Default ports of model servers, each with the server's name.
pub const USUAL_PORTS: [(u16, &str); 5] = [
    (8000, "vLLM"),
    (30000, "SGLang"),
    (8080, "llama.cpp"),
    (11434, "Ollama"),
    (1234, "LM Studio"),
];

/// Maximum time to open a connection to this machine.
const PATIENCE: Duration = Duration::from_secs(1);

/// A model server on this machine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LocalServer {
    /// Base address, for example `http://127.0.0.1:8000/v1`.
    pub address: String,
    /// Name of the server program that usually listens at this port.
    pub usual: &'static str,
    /// Names of its models, at least one.
    pub models: Vec<String>,
}

/// Queries the default ports of this machine for models, without a key. Returns the servers with
/// models, in the order of [`USUAL_PORTS`]. Needs a tokio runtime with time and network.
pub async fn local_servers() -> Vec<LocalServer> {
    servers_at(&USUAL_PORTS).await
}

async fn servers_at(ports: &[(u16, &'static str)]) -> Vec<LocalServer> {
    let mut asked = JoinSet::new();
    for (at, (port, usual)) in ports.iter().copied().enumerate() {
        asked.spawn(async move { Some((at, server_at(port, usual).await?)) });
    }
    let mut found: Vec<(usize, LocalServer)> = Vec::new();
    while let Some(one) = asked.join_next().await {
        found.extend(one.ok().flatten());
    }
    found.sort_by_key(|(at, _)| *at);
    found.into_iter().map(|(_, server)| server).collect()
}

/// Returns the server at a port of this machine, if it lists models.
async fn server_at(port: u16, usual: &'static str) -> Option<LocalServer> {
    let setup = Setup {
        address: format!("http://127.0.0.1:{port}/v1"),
        limits: Some(Limits {
            connect: PATIENCE,
            ..Limits::local()
        }),
        ..Setup::default()
    };
    let mut endpoint = Endpoint::new(setup).ok()?;
    let models = endpoint.list_models().await.ok()?;
    let address = endpoint.address();
    (!models.is_empty()).then_some(LocalServer {
        address,
        usual,
        models,
    })
}

#[cfg(test)]
mod tests {
    use std::io::{Read, Write};
    use std::net::TcpListener;
    use std::thread::{JoinHandle, spawn};

    use super::*;
    use crate::blocking;

    /// Serves one request with this body. Returns the port, and a thread that returns the request.
    fn serving(body: &'static str) -> (u16, JoinHandle<String>) {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let asked = spawn(move || {
            let (mut stream, _) = listener.accept().unwrap();
            let mut request = Vec::new();
            while !request.ends_with(b"\r\n\r\n") {
                let mut byte = [0];
                stream.read_exact(&mut byte).unwrap();
                request.extend(byte);
            }
            let length = body.len();
            let head = format!("HTTP/1.1 200 OK\r\nContent-Length: {length}\r\n\r\n");
            stream.write_all((head + body).as_bytes()).unwrap();
            String::from_utf8(request).unwrap()
        });
        (port, asked)
    }

    #[test]
    fn only_servers_with_models_are_found_and_no_key_is_sent() {
        let (web, page) = serving("<html>hello</html>");
        let (model, list) = serving(r#"{"data":[{"id":"qwen"},{"id":"gemma"}]}"#);
        let closed = TcpListener::bind("127.0.0.1:0").unwrap();
        let nobody = closed.local_addr().unwrap().port();
        drop(closed);
        let ports = [(web, "web"), (nobody, "none"), (model, "vLLM")];
        let found = blocking(servers_at(&ports)).unwrap();
        assert_eq!(
            found,
            [LocalServer {
                address: format!("http://127.0.0.1:{model}/v1"),
                usual: "vLLM",
                models: vec!["qwen".to_owned(), "gemma".to_owned()],
            }]
        );
        for request in [page, list].map(|asked| asked.join().unwrap()) {
            assert!(request.starts_with("GET /v1/models "), "{request}");
            assert!(!request.to_lowercase().contains("authorization"));
        }
    }
}
