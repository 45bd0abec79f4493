//! The keys of the language, as they are written. What they mean together is `lower`'s matter.

mod claims;
mod consumer;
mod fault;
mod file;
mod lambda;
mod ready;
mod steps;
mod words;

pub(super) use claims::{
    AlarmRaw, BoundRaw, ClaimRaw, DeadLetteredRaw, DepthRaw, EffectClaimRaw, RedeliveredRaw, StaysRaw,
};
pub(super) use consumer::{ConsumerRaw, EffectRaw, RestartRaw, WorkerRaw};
pub(super) use fault::{AtRaw, DoesRaw, FaultRaw};
pub(super) use file::{ScenarioRaw, SteadyRaw};
pub(super) use lambda::LambdaRaw;
pub(super) use ready::{DeployedRaw, ReadyDetail, ReadyRaw};
pub(super) use steps::{
    DuplicateRaw, KillRaw, PoisonRaw, RedriveRaw, RestartStepRaw, SendRaw, StepRaw, SwapRaw, WaitRaw,
};
