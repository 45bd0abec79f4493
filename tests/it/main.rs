//! The integration tests, one binary: linking it once is cheaper than once a file.

mod adversaries;
mod alarm_cases;
mod arrows;
mod bad_files;
mod bounds;
mod broken_disk;
mod cases;
mod drills;
mod foreign;
mod functions;
mod hostile;
mod interrupts;
mod leavers;
mod probe;
mod processes;
mod readme;
mod real_clients;
mod real_clock;
mod rude;
mod sandbox_clients;
mod sandbox_command;
mod signals;
mod support;
mod text;
mod time;
mod wrong_verdicts;
