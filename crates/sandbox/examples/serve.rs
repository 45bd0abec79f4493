//! Serves a sandbox on a loopback port, on a real clock, for a look at it with an SDK or the AWS
//! CLI: `cargo run -p havoq-sandbox --example serve -- 9324`. With `--facts` it prints what happens.

use std::sync::Arc;

use havoq_base::clock::{Pace, wall_clock};
use havoq_base::{Clock, RunStart, Seed};
use havoq_sandbox::{Places, Sandbox, Settings, serve};

#[tokio::main(flavor = "current_thread")]
async fn main() -> std::io::Result<()> {
    let port = std::env::args().nth(1).and_then(|port| port.parse().ok()).unwrap_or(9324_u16);
    let settings = Settings {
        clock: Clock::new(Pace::Real, wall_clock(), RunStart::now()),
        seed: Seed::fresh(),
        account: "000000000000".into(),
        region: "us-east-1".into(),
        places: Places::Many,
    };
    let tells = std::env::args().any(|argument| argument == "--facts");
    let facts = move |at, fact| {
        if tells {
            println!("{at} {fact:?}");
        }
    };
    let sandbox = Sandbox::new(settings, Box::new(facts));
    tokio::spawn(sandbox.clone().run());
    let listener = tokio::net::TcpListener::bind(("127.0.0.1", port)).await?;
    println!("listening on http://{}", listener.local_addr()?);
    serve(listener, Arc::new(sandbox)).await;
    Ok(())
}
