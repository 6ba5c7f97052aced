//! Starts two nodes of a real `ClickHouse` server, if one is installed.

use std::fs;
use std::io::{Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::Duration;

use tempfile::TempDir;

/// Environment variable with the path of the server's program.
const PROGRAM: &str = "EYECHART_CLICKHOUSE";
/// Passwords of the two users; no output may contain them.
pub const WRITES: &str = "WRITER-PASSWORD";
pub const READS: &str = "READER-PASSWORD";
/// Interval and number of checks whether a node has started.
const STEP: Duration = Duration::from_millis(100);
const STEPS: usize = 600;

/// Two nodes of the cluster `two`; dropping the value stops them.
pub struct Nodes {
    _folder: TempDir,
    nodes: Vec<Node>,
}

struct Node {
    process: Child,
    http: u16,
    tcp: u16,
}

/// Path of the server's program: from the variable, else from the search path.
fn program() -> Option<PathBuf> {
    if let Some(named) = std::env::var_os(PROGRAM) {
        return Some(PathBuf::from(named));
    }
    let path = std::env::var_os("PATH")?;
    let found = std::env::split_paths(&path)
        .flat_map(|folder| ["clickhouse-server", "clickhouse"].map(|name| folder.join(name)));
    found.into_iter().find(|file| file.is_file())
}

/// Free TCP ports.
fn ports<const N: usize>() -> [u16; N] {
    let all = [(); N].map(|()| TcpListener::bind("127.0.0.1:0").unwrap());
    all.map(|one| one.local_addr().unwrap().port())
}

impl Nodes {
    /// Starts the nodes. Without a server it prints that the test is skipped and returns `None`.
    pub fn start() -> Option<Self> {
        let Some(program) = program() else {
            super::skipped(&format!("no clickhouse-server ({PROGRAM} can name one)"));
            return None;
        };
        let folder = tempfile::tempdir().unwrap();
        let ports: [u16; 6] = ports();
        let nodes = [0, 1].map(|at| {
            let home = folder.path().join(format!("n{at}"));
            let own = [ports[at], ports[2 + at], ports[4 + at]];
            configure(&home, own, [ports[2], ports[3]]);
            Node {
                process: launch(&program, &home),
                http: own[0],
                tcp: own[1],
            }
        });
        let nodes = Self {
            _folder: folder,
            nodes: nodes.into(),
        };
        for at in [0, 1] {
            nodes.wait(at);
        }
        Some(nodes)
    }

    fn wait(&self, at: usize) {
        for _ in 0..STEPS {
            if self
                .ask(at, "default", "", "SELECT 1")
                .is_ok_and(|answer| answer == "1\n")
            {
                return;
            }
            thread::sleep(STEP);
        }
        panic!("node {at} did not start");
    }

    /// Address of a database on the first node for a user.
    pub fn address(&self, user: &str, database: &str) -> String {
        format!(
            "clickhouse://{user}@127.0.0.1:{}/{database}",
            self.nodes[0].http
        )
    }

    /// Address for the writer, with which tables are created on both nodes.
    pub fn to_both(&self, database: &str) -> String {
        let whole = self.address("writer", database);
        format!("{whole}?cluster=two&node=127.0.0.1:{}", self.nodes[1].http)
    }

    /// Address of a node for connections between nodes.
    pub fn tcp(&self, at: usize) -> String {
        format!("127.0.0.1:{}", self.nodes[at].tcp)
    }

    /// Sends a query to a node, without using the program's own client.
    pub fn ask(&self, at: usize, user: &str, password: &str, sql: &str) -> std::io::Result<String> {
        let mut stream = TcpStream::connect(("127.0.0.1", self.nodes[at].http))?;
        let length = sql.len();
        let request = format!(
            "POST /?wait_end_of_query=1 HTTP/1.0\r\nX-ClickHouse-User: {user}\r\nX-ClickHouse-Key: {password}\r\n\
             Content-Length: {length}\r\n\r\n{sql}"
        );
        stream.write_all(request.as_bytes())?;
        let mut answer = String::new();
        stream.read_to_string(&mut answer)?;
        let (_, body) = answer.split_once("\r\n\r\n").unwrap_or_default();
        Ok(body.to_owned())
    }

    /// Answer of a node to a query of the writer.
    pub fn told(&self, at: usize, sql: &str) -> String {
        self.ask(at, "writer", WRITES, sql).unwrap()
    }

    /// Sends a signal to a node's process.
    pub fn signal(&self, at: usize, signal: i32) {
        let id = i32::try_from(self.nodes[at].process.id()).unwrap();
        let status = Command::new("kill")
            .args([format!("-{signal}"), id.to_string()])
            .status();
        assert!(status.unwrap().success());
    }
}

impl Drop for Nodes {
    fn drop(&mut self) {
        for node in &mut self.nodes {
            // A node may have been killed already.
            drop(node.process.kill());
            drop(node.process.wait());
        }
    }
}

/// Writes the configuration of a node: its ports for HTTP, for nodes and for replicas, and the
/// ports for nodes of both nodes.
fn configure(home: &Path, [http, tcp, replicas]: [u16; 3], both: [u16; 2]) {
    for folder in ["data", "tmp", "schemas"] {
        fs::create_dir_all(home.join(folder)).unwrap();
    }
    let at = home.display();
    let shard = |port: u16| {
        format!("<shard><replica><host>127.0.0.1</host><port>{port}</port></replica></shard>")
    };
    let config = format!(
        "<?xml version=\"1.0\"?><yandex><logger><level>warning</level><log>{at}/log</log><errorlog>{at}/err</errorlog></logger>\
         <http_port>{http}</http_port><tcp_port>{tcp}</tcp_port><interserver_http_port>{replicas}</interserver_http_port>\
         <listen_host>127.0.0.1</listen_host><path>{at}/data/</path><tmp_path>{at}/tmp/</tmp_path>\
         <format_schema_path>{at}/schemas/</format_schema_path><users_config>users.xml</users_config>\
         <default_profile>default</default_profile><default_database>default</default_database>\
         <mark_cache_size>67108864</mark_cache_size>\
         <remote_servers><two>{}{}</two></remote_servers></yandex>",
        shard(both[0]),
        shard(both[1])
    );
    fs::write(home.join("config.xml"), config).unwrap();
    let user = |name: &str, password: &str, profile: &str| {
        format!(
            "<{name}><password>{password}</password><networks><ip>127.0.0.1</ip></networks><profile>{profile}</profile>\
             <quota>default</quota></{name}>"
        )
    };
    let users = format!(
        "<?xml version=\"1.0\"?><yandex><profiles><default><max_threads>1</max_threads></default>\
         <reader><readonly>2</readonly></reader><fixed><readonly>1</readonly></fixed></profiles><users>{}{}{}{}</users>\
         <quotas><default></default></quotas></yandex>",
        user("default", "", "default"),
        user("writer", WRITES, "default"),
        user("reader", READS, "reader"),
        user("fixed", READS, "fixed")
    );
    fs::write(home.join("users.xml"), users).unwrap();
}

/// Starts a node. The libraries of an unpacked package are next to its program.
fn launch(program: &Path, home: &Path) -> Child {
    let mut command = Command::new(program);
    if program.file_name().is_some_and(|name| name == "clickhouse") {
        command.arg("server");
    }
    let root = program.ancestors().nth(3).unwrap_or(Path::new("/"));
    let libraries = [
        "usr/lib/x86_64-linux-gnu",
        "usr/lib",
        "lib/x86_64-linux-gnu",
    ];
    let libraries = libraries.map(|folder| root.join(folder));
    if root != Path::new("/") && libraries.iter().any(|folder| folder.is_dir()) {
        let path = std::env::join_paths(libraries.iter()).unwrap();
        command.env("LD_LIBRARY_PATH", path);
    }
    command
        .arg(format!(
            "--config-file={}",
            home.join("config.xml").display()
        ))
        .current_dir(home)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap()
}
