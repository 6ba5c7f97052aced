//! Tests protocol versions, methods and invalid messages.

use serde_json::{Value, json};

use super::Client;

fn code(answer: &Value) -> i64 {
    answer["error"]["code"]
        .as_i64()
        .unwrap_or_else(|| panic!("no error: {answer}"))
}

#[test]
fn the_version_is_that_of_the_client_if_it_is_known() {
    for (wanted, expected) in [
        ("2024-11-05", "2024-11-05"),
        ("2025-03-26", "2025-03-26"),
        ("2025-06-18", "2025-06-18"),
        ("2025-11-25", "2025-11-25"),
        ("1999-01-01", "2025-11-25"),
    ] {
        let mut client = Client::start(&["sample_runs"]);
        let answer = client.initialize(wanted);
        let result = &answer["result"];
        assert_eq!(result["protocolVersion"], expected);
        assert_eq!(result["serverInfo"]["name"], "eyechart");
        assert!(result["capabilities"]["tools"].is_object());
        assert!(
            result["instructions"]
                .as_str()
                .expect("words")
                .contains("never an instruction")
        );
        assert_eq!(client.end(), 0);
    }
}

#[test]
fn requests_of_the_stateless_version_need_no_initialize() {
    let mut client = Client::start(&["sample_runs"]);
    let meta = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {},
    });
    let found = client.request("server/discover", &json!({"_meta": meta}));
    assert_eq!(found["result"]["supportedVersions"], json!(["2026-07-28"]));
    let tools = client.request("tools/list", &json!({"_meta": meta}));
    assert_eq!(tools["result"]["resultType"], "complete");
    assert!(tools["result"]["ttlMs"].is_u64() && tools["result"]["cacheScope"] == "private");
    let called = json!({"_meta": meta, "name": "manual", "arguments": {"topic": "filters"}});
    let called = client.request("tools/call", &called);
    assert_eq!(
        (
            &called["result"]["resultType"],
            &called["result"]["isError"]
        ),
        (&json!("complete"), &json!(false))
    );

    let mut other = meta.clone();
    other["io.modelcontextprotocol/protocolVersion"] = json!("2031-01-01");
    let refused = client.request("server/discover", &json!({"_meta": other}));
    assert_eq!(code(&refused), -32_022);
    assert_eq!(
        refused["error"]["data"],
        json!({"supported": ["2026-07-28"], "requested": "2031-01-01"})
    );
    let mut lacking = meta;
    lacking
        .as_object_mut()
        .expect("an object")
        .remove("io.modelcontextprotocol/clientCapabilities");
    assert_eq!(
        code(&client.request("tools/list", &json!({"_meta": lacking}))),
        -32_602
    );
    assert_eq!(client.end(), 0);
}

#[test]
fn wrong_messages_are_answered_with_the_error_of_their_kind() {
    let mut client = Client::begin(&["sample_runs"]);
    for (line, expected, id) in [
        ("{", -32_700, json!(null)),
        ("not JSON", -32_700, json!(null)),
        (
            "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"} trailing",
            -32_700,
            json!(null),
        ),
        ("3", -32_600, json!(null)),
        ("\"ping\"", -32_600, json!(null)),
        ("[]", -32_600, json!(null)),
        (
            "[{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}]",
            -32_600,
            json!(null),
        ),
        ("{\"id\":1,\"method\":\"ping\"}", -32_600, json!(1)),
        ("{\"jsonrpc\":\"2.0\",\"id\":2}", -32_600, json!(2)),
        (
            "{\"jsonrpc\":\"2.0\",\"id\":null,\"method\":\"ping\"}",
            -32_600,
            json!(null),
        ),
        (
            "{\"jsonrpc\":\"2.0\",\"id\":{},\"method\":\"ping\"}",
            -32_600,
            json!(null),
        ),
        (
            "{\"jsonrpc\":\"2.0\",\"id\":3,\"method\":\"ping\",\"params\":[1]}",
            -32_602,
            json!(3),
        ),
        (
            "{\"jsonrpc\":\"2.0\",\"id\":\"four\",\"method\":\"resources/list\"}",
            -32_601,
            json!("four"),
        ),
        (
            "{\"jsonrpc\":\"2.0\",\"id\":5,\"method\":\"initialize\",\"params\":{\"protocolVersion\":\"2025-06-18\"}}",
            -32_600,
            json!(5),
        ),
        (
            "{\"jsonrpc\":\"2.0\",\"id\":6,\"method\":\"tools/call\"}",
            -32_602,
            json!(6),
        ),
        (
            "{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"tools/call\",\"params\":{\"name\":\"rm\"}}",
            -32_602,
            json!(7),
        ),
        (
            "{\"jsonrpc\":\"2.0\",\"id\":8,\"method\":\"tools/call\",\"params\":{\"name\":\"scores\",\"arguments\":[]}}",
            -32_602,
            json!(8),
        ),
        (
            "{\"jsonrpc\":\"2.0\",\"id\":9,\"method\":\"tools/list\",\"params\":{\"cursor\":\"x\"}}",
            -32_602,
            json!(9),
        ),
    ] {
        client.send(line);
        let answer = client.read();
        assert_eq!(
            (code(&answer), &answer["id"]),
            (expected, &id),
            "{line}: {answer}"
        );
    }
    // None of these lines gets an answer, and the server keeps running.
    for line in [
        "",
        "  ",
        "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":1,\"reason\":\"x\"}}",
        "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/unknown\"}",
        "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}",
    ] {
        client.send(line);
    }
    assert_eq!(client.request("ping", &json!({}))["result"], json!({}));
    assert_eq!(client.end(), 0);
}

#[test]
fn the_client_initializes_first_with_a_version() {
    let mut client = Client::start(&["sample_runs"]);
    assert_eq!(client.request("ping", &json!({}))["result"], json!({}));
    assert_eq!(code(&client.request("tools/list", &json!({}))), -32_600);
    assert_eq!(code(&client.request("initialize", &json!({}))), -32_602);
    assert_eq!(
        code(&client.request("initialize", &json!({"protocolVersion": 3}))),
        -32_602
    );
    assert!(client.initialize("2025-06-18")["result"].is_object());
    assert_eq!(client.end(), 0);
}

#[test]
fn batches_are_answered_in_the_version_that_has_them() {
    let mut client = Client::start(&["sample_runs"]);
    client.initialize("2025-03-26");
    let ping = |id: u64| json!({"jsonrpc": "2.0", "id": id, "method": "ping"});
    let silent = json!({"jsonrpc": "2.0", "method": "notifications/cancelled"});
    client.send(&json!([ping(11), silent, 3, ping(12)]).to_string());
    let answers = client.read();
    let ids: Vec<&Value> = answers
        .as_array()
        .expect("a batch")
        .iter()
        .map(|it| &it["id"])
        .collect();
    assert_eq!(ids, [&json!(11), &json!(null), &json!(12)]);
    client.send("[]");
    assert_eq!(code(&client.read()), -32_600);
    client.send(&json!([silent]).to_string());
    assert!(
        client.request("ping", &json!({}))["result"].is_object(),
        "no answer to the batch"
    );
    assert_eq!(client.end(), 0);
}

#[test]
fn every_tool_states_its_arguments_and_refuses_others() {
    let mut client = Client::begin(&["sample_runs/exam", "--allow-verdicts"]);
    let listed = client.request("tools/list", &json!({}));
    let tools = listed["result"]["tools"].as_array().expect("tools").clone();
    let names: Vec<&str> = tools
        .iter()
        .filter_map(|tool| tool["name"].as_str())
        .collect();
    assert_eq!(
        names,
        [
            "summary",
            "scores",
            "compare",
            "gate",
            "slices",
            "samples",
            "sample",
            "verdicts",
            "open",
            "manual",
            "record_verdict"
        ]
    );
    for tool in &tools {
        let name = tool["name"].as_str().expect("a name");
        let schema = &tool["inputSchema"];
        assert_eq!(
            (&schema["type"], &schema["additionalProperties"]),
            (&json!("object"), &json!(false))
        );
        assert!(
            tool["description"]
                .as_str()
                .expect("words")
                .contains("never an instruction"),
            "{name}"
        );
        assert_eq!(
            tool["annotations"]["readOnlyHint"],
            name != "record_verdict"
        );
        let mut arguments = json!({});
        for required in schema["required"].as_array().expect("a list") {
            let required = required.as_str().expect("a name");
            assert!(
                schema["properties"][required].is_object(),
                "{name}: {required}"
            );
            arguments[required] = json!(if required == "verdict" { "ok" } else { "hog" });
        }
        arguments["surprise"] = json!(1);
        let error = client.refused(name, &arguments);
        assert!(error.to_string().contains("surprise"), "{name}: {error}");
        arguments
            .as_object_mut()
            .expect("an object")
            .remove("surprise");
        // An argument in the schema must not be refused as unknown.
        for property in schema["properties"].as_object().expect("an object").keys() {
            arguments[property] = json!({"of": "a wrong kind"});
            let error = client.refused(name, &arguments).to_string();
            assert!(
                !error.contains(&format!("unknown field `{property}`")),
                "{name}: {error}"
            );
            arguments
                .as_object_mut()
                .expect("an object")
                .remove(property);
        }
    }
    assert!(
        listed.to_string().len() < 16_000,
        "{}",
        listed.to_string().len()
    );
    assert_eq!(client.end(), 0);
}

#[test]
fn wrong_arguments_are_results_with_a_reason() {
    let mut client = Client::begin(&["sample_runs/exam"]);
    for (tool, arguments) in [
        ("scores", json!({"filter": "nokey:x"})),
        ("scores", json!({"filter": "score<"})),
        ("scores", json!({"table": "everything"})),
        ("scores", json!({"by": "box_area"})),
        ("scores", json!({"table": "subgroups", "by": "no_such_tag"})),
        ("scores", json!({"limit": 0})),
        ("scores", json!({"limit": 1_000_000})),
        ("scores", json!({"cursor": "x"})),
        ("scores", json!({"cursor": "1000000"})),
        ("scores", json!({"cursor": 3})),
        ("scores", json!({"filter": "x".repeat(5_000)})),
        ("compare", json!({"a": "hog"})),
        ("compare", json!({"a": "hog", "b": "no such model"})),
        ("slices", json!({"q": 2})),
        (
            "slices",
            json!({"model": "hog", "compare": ["hog", "gabor"]}),
        ),
        ("slices", json!({"filter": "correct:false"})),
        ("samples", json!({"sort": "beauty"})),
        ("sample", json!({"sample": "no such sample"})),
        ("manual", json!({"topic": "xyzzy"})),
    ] {
        client.refused(tool, &arguments);
    }
    assert_eq!(client.end(), 0);
}
