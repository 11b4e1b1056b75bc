//! Tests Redis over TLS: the service uses a Redis only if its certificate is trusted.

use std::process::{Command, Stdio};

use pagade_tests::redis_server::RedisServer;
use pagade_tests::service::{Service, program};
use reqwest::blocking::Client;
use serde_json::{Value, json};

#[test]
fn a_redis_with_a_trusted_certificate_is_used_and_another_is_refused() {
    let folder = std::env::temp_dir().join(format!("pagade-tls-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let file = |name: &str| folder.join(name).display().to_string();
    let (key, certificate) = (file("key.pem"), file("certificate.pem"));
    let made = Command::new("openssl")
        .args(["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2"])
        .args(["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1"])
        .args(["-addext", "basicConstraints=critical,CA:FALSE", "-keyout", &key, "-out", &certificate])
        .stderr(Stdio::null())
        .status()
        .expect("openssl is installed");
    assert!(made.success());
    let port = (10_000..).find(|port| std::net::TcpListener::bind(("127.0.0.1", *port)).is_ok()).expect("a port");
    let tls = ["--tls-port", &port.to_string(), "--tls-cert-file", &certificate, "--tls-key-file", &key];
    let asks = ["--tls-auth-clients", "no", "--requirepass", "secret", "--appendonly", "yes"];
    let _redis = RedisServer::start(&[&tls[..], &asks].concat());
    let store = format!("rediss://:secret@localhost:{port}/?durability=everysec");

    let service = Service::start(&[], &[("PAGADE_STORE", &store), ("SSL_CERT_FILE", &certificate)]);
    let client = Client::new();
    let created = client.post(format!("{}/v1/games", service.address)).json(&json!({"rule_set": "pagade"})).send();
    assert_eq!(created.expect("an answer").status(), 201);
    let ready: Value =
        client.get(format!("{}/readyz", service.address)).send().and_then(|answer| answer.json()).expect("JSON");
    assert_eq!(ready["warnings"], json!([]));

    let refused = Command::new(program()).args(["serve", "--listen", "127.0.0.1:0", "--store", &store]).output();
    let refused = refused.expect("it ends");
    assert_eq!(refused.status.code(), Some(2), "nobody vouches for the certificate");
    let reason = String::from_utf8_lossy(&refused.stderr);
    assert!(reason.contains("certificate") && !reason.contains("secret"), "{reason}");
    std::fs::remove_dir_all(&folder).expect("it can be removed");
}
