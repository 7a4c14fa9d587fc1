//! A tour in one command: a tool that nobody has reviewed places an order with a broker,
//! and cannot do anything else.
//!
//! `cargo run --release -p holm-demo` starts a small broker on this machine, so that no network
//! is needed, and runs the `holm` command against it.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};
use std::{env, fs, io, thread};

fn main() -> ExitCode {
    // With arguments this program is the holm command: the tour starts itself that way.
    if env::args_os().len() > 1 {
        return holm::cli::run(env::args_os()).into();
    }
    match tour() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("the demo cannot run: {error}");
            ExitCode::FAILURE
        }
    }
}

fn tour() -> io::Result<()> {
    let listener = TcpListener::bind("127.0.0.1:0")?;
    let broker = format!("http://{}", listener.local_addr()?);
    thread::spawn(move || {
        for stream in listener.incoming().map_while(Result::ok) {
            if let Err(error) = answer(&stream) {
                println!("  the broker failed: {error}");
            }
        }
    });

    let tools = tools()?;
    let configuration = format!(
        "[mount]\n\
         \"/tools/shared\" = {tools:?}\n\n\
         [tools.http.allow]\n\
         \"/tools/shared/market_order.scm\" = [\"{broker}/api/v0/\"]\n\n\
         [tools.env]\n\
         \"/tools/shared/market_order.scm\" = [\"BROKER_KEY\"]\n"
    );
    let folder = env::temp_dir().join(format!("holm-demo-{}", std::process::id()));
    fs::create_dir_all(&folder)?;
    fs::write(folder.join("holm.toml"), &configuration)?;
    println!("holm.toml:\n\n{configuration}");

    let shown = stages(&folder, &broker);
    fs::remove_dir_all(&folder)?;
    shown
}

/// The folder with the broker's tool.
fn tools() -> io::Result<PathBuf> {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("broker")
        .canonicalize()
}

/// The stages of the tour: what the tool may do, and what it may not.
fn stages(folder: &Path, broker: &str) -> io::Result<()> {
    println!("1. What the file defines, declares and is granted.\n");
    let file = tools()?.join("market_order.scm");
    holm(folder, &["check", &file.display().to_string()])?;

    println!("2. An order goes through, with a key that the model never sees.\n");
    let order = order(&format!("{broker}/api/v0/orders"));
    holm(folder, &["call", "market_order", &order, "--yes"])?;

    println!("3. Someone talks the model into another path of the same server: refused.\n");
    let elsewhere = self::order(&format!("{broker}/admin/orders"));
    holm(folder, &["call", "market_order", &elsewhere, "--yes"])?;

    println!("4. Or into another host, here the metadata service of a cloud: refused.\n");
    let elsewhere = self::order("http://169.254.169.254/latest/");
    holm(folder, &["call", "market_order", &elsewhere, "--yes"])?;

    println!("5. Nobody is there to ask, and without `--yes` nothing runs.\n");
    holm(folder, &["call", "market_order", &order])
}

/// The arguments of an order that goes to `broker`.
fn order(broker: &str) -> String {
    format!(r#"{{"ticker":"AAPL_US_EQ","side":"buy","quantity":10,"broker":"{broker}"}}"#)
}

/// Shows a command and runs it.
fn holm(folder: &Path, arguments: &[&str]) -> io::Result<()> {
    let quoted: Vec<String> = arguments
        .iter()
        .map(|argument| match argument.contains(['{', ' ']) {
            true => format!("'{argument}'"),
            false => (*argument).to_owned(),
        })
        .collect();
    println!("$ holm {}", quoted.join(" "));
    io::stdout().flush()?;
    let output = Command::new(env::current_exe()?)
        .args(arguments)
        .current_dir(folder)
        .env("BROKER_KEY", "a-secret-key")
        .stdin(Stdio::null())
        .output()?;
    print!("{}", String::from_utf8_lossy(&output.stdout));
    print!("{}", String::from_utf8_lossy(&output.stderr));
    println!("(exit {})\n", output.status.code().unwrap_or(-1));
    Ok(())
}

/// The broker: shows each request and accepts every order.
fn answer(mut stream: &TcpStream) -> io::Result<()> {
    let mut reader = BufReader::new(stream);
    let mut first = String::new();
    reader.read_line(&mut first)?;
    let mut length = 0;
    let mut key = String::new();
    loop {
        let mut line = String::new();
        reader.read_line(&mut line)?;
        let Some((name, value)) = line.trim_end().split_once(": ") else {
            break;
        };
        match name.to_ascii_lowercase().as_str() {
            "content-length" => length = value.parse().unwrap_or(0),
            "authorization" => key = value.to_owned(),
            _ => {}
        }
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body)?;
    println!(
        "  the broker got: {} with the key {key:?} and {}",
        first.trim_end(),
        String::from_utf8_lossy(&body)
    );
    let answer = r#"{"id":"order-1","status":"FILLED"}"#;
    write!(
        stream,
        "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: {}\r\nconnection: close\r\n\r\n{answer}",
        answer.len()
    )
}
