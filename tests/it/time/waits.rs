//! A wait ends after its span of real time, even when the clock jumps in the middle of it.

use havoq_base::StackDuration;

use super::live::{Program, Shown, interpreted};

/// Seconds to wait. When a busy machine takes longer until all of them wait, the next is tried.
const SPANS: [f64; 3] = [2.0, 8.0, 32.0];
const JUMP: StackDuration = StackDuration::from_secs(900);
/// How late a wait may end on a busy machine: far less than the jump.
const LATE: f64 = 120.0;

fn wait_their_span(shown: &Shown, argv: &[String], means: &[&str]) {
    assert!(
        SPANS.iter().any(|span| jump_while_they_wait(shown, argv, means, *span)),
        "they were never all at it, not even for {} s",
        SPANS[2]
    );
}

/// Has the program wait by each of the means, all at once, and jumps when all of them do. False when
/// some were through before.
fn jump_while_they_wait(shown: &Shown, argv: &[String], means: &[&str], span: f64) -> bool {
    let start = |means: &&str| {
        let argv = argv.iter().cloned().chain([(*means).to_owned(), span.to_string()]);
        shown.start(&argv.collect::<Vec<_>>())
    };
    let mut programs: Vec<Program> = means.iter().map(start).collect();
    programs.iter_mut().for_each(|program| program.expect("ready"));
    programs.iter_mut().for_each(Program::tell);
    programs.iter_mut().for_each(|program| program.expect("waiting"));
    if !programs.iter().all(|program| program.falls_asleep(span)) {
        return false;
    }
    shown.jump(JUMP);
    let mut all_saw_it = true;
    for program in &mut programs {
        let line = program.line();
        let (took, wall) = line.split_once(' ').expect("two spans");
        let [took, wall] = [took, wall].map(|span| span.parse::<f64>().expect("seconds"));
        assert!((span - 0.05..span + LATE).contains(&took), "{} took {took}", program.name);
        all_saw_it &= wall >= JUMP.as_secs_f64();
    }
    all_saw_it
}

#[test]
fn in_c() {
    let shown = Shown::new();
    let program = shown.compiled("waits", &["-pthread", "-lrt"]);
    let means = [
        "pthread_cond_timedwait",
        "pthread_cond_timedwait-monotonic",
        "pthread_cond_clockwait",
        "cnd_timedwait",
        "sem_timedwait",
        "sem_clockwait-monotonic",
        "pthread_mutex_timedlock",
        "pthread_mutex_clocklock",
        "pthread_rwlock_timedrdlock",
        "pthread_rwlock_timedwrlock",
        "clock_nanosleep",
        "clock_nanosleep-monotonic",
        "timerfd_settime",
        "timer_settime",
        "mq_timedreceive",
        "pthread_timedjoin_np",
        "syscall-futex",
    ];
    wait_their_span(&shown, &[program.to_string_lossy().into_owned()], &means);
}

fn in_language(interpreter: &str, source: &str, means: &[&str]) {
    let Some(argv) = interpreted(interpreter, source) else { return };
    wait_their_span(&Shown::new(), &argv, means);
}

#[test]
fn in_python() {
    let means = [
        "time.sleep",
        "Condition.wait",
        "Event.wait",
        "Lock.acquire",
        "Queue.get",
        "Thread.join",
        "asyncio.sleep",
    ];
    in_language("python3", "waits.py", &means);
}

#[test]
fn in_node() {
    in_language("node", "waits.mjs", &["setTimeout", "Atomics.wait"]);
}

#[test]
fn in_java() {
    let means = ["Thread.sleep", "parkNanos", "parkUntil", "Object.wait", "Condition.await"];
    in_language("java", "Waits.java", &means);
}
