//! What asking costs us, beside a bare loop of the same HTTP client that sends the same bytes in the same run.
//!
//! `cargo bench --bench rerun` starts a server that answers at once, asks it under several widths, and prints for each
//! program requests a second, CPU time of a request and peak memory. Each part is a process of its own, so that none
//! pays for another. Only `cargo bench` measures: anything else that starts this program ends at once.

use std::collections::BTreeMap;
use std::env;
use std::fs;
use std::io::{BufRead as _, BufReader, Write as _, stdout};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex};
use std::time::Instant;

use anyhow::{Context as _, Result, ensure};
use axum::body::Bytes;
use axum::extract::{DefaultBodyLimit, State};
use axum::http::header::CONTENT_TYPE;
use axum::routing::{get, post};
use axum::{Json, Router};
use eyechart::client::{Endpoint, Setup};
use eyechart::media::Source;
use eyechart::record::{Content, Record};
use eyechart::rerun::{Asking, Control, Head, Journal, Plan, Protocol, Run, Sample, Spending, blocking};
use serde_json::json;

/// Questions of a round.
const QUESTIONS: usize = 1_000;
/// Requests on their way at once.
const WIDTHS: [usize; 3] = [4, 64, 400];
/// Side of a picture of noise, which no compression makes smaller: about 110 kB as PNG.
const SIDE: u32 = 192;
/// What the server answers.
const ANSWER: &str = concat!(
    "data: {\"model\":\"m\",\"choices\":[{\"index\":0,\"delta\":{\"content\":\"A\"},\"finish_reason\":null}]}\n\n",
    "data: {\"model\":\"m\",\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"stop\"}]}\n\n",
    "data: {\"model\":\"m\",\"choices\":[],\"usage\":{\"prompt_tokens\":90,\"completion_tokens\":1}}\n\n",
    "data: [DONE]\n\n"
);

fn main() -> Result<()> {
    let arguments: Vec<String> = env::args().collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match words.as_slice() {
        [_, "serve"] => blocking(serve())?,
        [_, "ours", port, width] => ours(port, width.parse()?),
        [_, "bare", port, width] => blocking(bare(port, width.parse()?))?,
        _ if words.contains(&"--bench") => contest(),
        _ => Ok(()),
    }
}

fn contest() -> Result<()> {
    let (_server, port) = started()?;
    let mut out = stdout().lock();
    writeln!(
        out,
        "{QUESTIONS} questions with a picture each; requests a second, CPU ms a request, peak memory"
    )?;
    for width in WIDTHS {
        for part in ["ours", "bare"] {
            let done = itself([part, &port, &width.to_string()]).output()?;
            ensure!(
                done.status.success(),
                "{}",
                String::from_utf8_lossy(&done.stderr)
            );
            let told = String::from_utf8_lossy(&done.stdout).into_owned();
            write!(out, "{width:>4} at once, {part}: {told}")?;
        }
    }
    Ok(())
}

/// Ends with the contest.
struct Server(Child);

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn itself<const N: usize>(arguments: [&str; N]) -> Command {
    let program = env::current_exe().unwrap_or_else(|_| "rerun".into());
    let mut command = Command::new(program);
    command.args(arguments);
    command
}

/// A server in a process of its own, and its port.
fn started() -> Result<(Server, String)> {
    let mut server = itself(["serve"]).stdout(Stdio::piped()).spawn()?;
    let mut port = String::new();
    BufReader::new(server.stdout.take().context("its output")?).read_line(&mut port)?;
    Ok((Server(server), port.trim().to_owned()))
}

/// Answers every question alike, and tells the last one that it was asked.
async fn serve() -> Result<()> {
    type Last = Arc<Mutex<Bytes>>;
    let ask = async |State(last): State<Last>, body: Bytes| {
        if let Ok(mut last) = last.lock() {
            *last = body;
        }
        ([(CONTENT_TYPE, "text/event-stream")], ANSWER)
    };
    let last =
        async |State(last): State<Last>| last.lock().map(|last| last.clone()).unwrap_or_default();
    let routes = Router::new()
        .route(
            "/v1/models",
            get(async || Json(json!({"data": [{"id": "m"}]}))),
        )
        .route("/v1/chat/completions", post(ask))
        .route("/last", get(last))
        .layer(DefaultBodyLimit::disable())
        .with_state(Last::default());
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await?;
    writeln!(stdout(), "{}", listener.local_addr()?.port())?;
    axum::serve(listener, routes).await?;
    Ok(())
}

/// The whole way: pictures are opened, requests spelled, answers read, judged, journalled and told.
fn ours(port: &str, width: usize) -> Result<()> {
    let folder = tempfile::tempdir()?;
    let samples: Result<Vec<Sample>> = (0..QUESTIONS).map(|at| sample(folder.path(), at)).collect();
    let asking = Asking {
        model: "m".to_owned(),
        label: "m".to_owned(),
        ..Asking::default()
    };
    let plan = Arc::new(Plan::new(samples?, Protocol::Vanilla, asking));
    let endpoint = Endpoint::new(Setup {
        address: format!("http://127.0.0.1:{port}/v1"),
        at_once: Some(width),
        ..Setup::default()
    })?;
    let head = Head::new(&plan, &endpoint.address());
    let journal = Journal::open(&folder.path().join("out"), head, false)?;
    let run = Run::new(Arc::clone(&plan), Arc::new(endpoint), journal, false, Spending::default());
    let began = (Instant::now(), cpu()?);
    let ended = blocking(run.go(Control::default(), Arc::new(|_| {})))?;
    told(began)?;
    ensure!(ended.finished.len() == QUESTIONS, "{:?}", ended.stopped);
    Ok(())
}

/// A question about a picture of noise that no other question has.
fn sample(folder: &Path, at: usize) -> Result<Sample> {
    let mut state = at as u64 + 1;
    let noise = image::RgbImage::from_fn(SIDE, SIDE, |_, _| {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        let [.., red, green, blue] = state.to_le_bytes();
        image::Rgb([red, green, blue])
    });
    let name = format!("{at}.png");
    noise.save(folder.join(&name))?;
    let question = format!("Which letter comes first, {at}? Answer with one letter.");
    Ok(Sample {
        record: Record {
            sample_id: at.to_string(),
            benchmark: "bench".to_owned(),
            content: Content {
                question,
                ..Content::default()
            },
            ..Record::default()
        },
        pictures: vec![Source::Path {
            reference: name,
            roots: vec![folder.to_path_buf()],
        }],
        format: "eyechart".to_owned(),
        before: None,
        turned: BTreeMap::default(),
    })
}

/// The same client sends the last question again and again, and passes over what comes back.
async fn bare(port: &str, width: usize) -> Result<()> {
    let base = format!("http://127.0.0.1:{port}");
    let _ = rustls::crypto::ring::default_provider().install_default();
    let client = reqwest::Client::builder()
        .no_proxy()
        .pool_max_idle_per_host(0)
        .build()?;
    let body = client
        .get(format!("{base}/last"))
        .send()
        .await?
        .bytes()
        .await?;
    ensure!(!body.is_empty(), "nothing was asked yet");
    let began = (Instant::now(), cpu()?);
    let gate = Arc::new(tokio::sync::Semaphore::new(width));
    let mut open = tokio::task::JoinSet::new();
    for _ in 0..QUESTIONS {
        let place = Arc::clone(&gate).acquire_owned().await?;
        let request = client
            .post(format!("{base}/v1/chat/completions"))
            .header(CONTENT_TYPE, "application/json")
            .body(body.clone());
        open.spawn(async move {
            let _place = place;
            request.send().await?.bytes().await
        });
    }
    while let Some(done) = open.join_next().await {
        done??;
    }
    told(began)
}

/// CPU milliseconds of this process so far, as Linux counts them.
fn cpu() -> Result<f64> {
    let text = fs::read_to_string("/proc/self/stat")?;
    let (_, rest) = text.rsplit_once(')').context("its name")?;
    let ticks = rest.split_whitespace().skip(11).take(2);
    let ticks: Result<Vec<f64>, _> = ticks.map(str::parse).collect();
    // A hundred ticks a second, on every Linux of the day.
    Ok(ticks?.iter().sum::<f64>() * 10.0)
}

fn told((start, before): (Instant, f64)) -> Result<()> {
    #[expect(clippy::cast_precision_loss, reason = "a thousand")]
    let count = QUESTIONS as f64;
    let (took, used) = (start.elapsed().as_secs_f64(), cpu()? - before);
    let status = fs::read_to_string("/proc/self/status")?;
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    writeln!(
        stdout(),
        "{:>6.0} {:>6.2} {:>10}",
        count / took,
        used / count,
        peak.unwrap_or("unknown").trim()
    )?;
    Ok(())
}
