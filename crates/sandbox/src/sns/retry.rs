//! How deliveries to AWS's own endpoints are tried again after a server-side error (semantics 2.3):
//! 3 attempts at once, 2 at 1 s, 10 with delays that grow from 1 s to 20 s, and 100,000 at 20 s.
//! AWS jitters the delays; here they are exact.

use havoq_base::StackDuration;

/// All of them, the first one too.
pub(super) const ATTEMPTS: u32 = 100_015;

const AT_ONCE: u32 = 3;
const SHORT: u32 = 2;
const GROWING: u32 = 10;

/// How long one waits between two of the last 100,000 attempts.
pub(super) const LONGEST: StackDuration = StackDuration::from_secs(20);

/// How long after a failure the next attempt is made, if one is left. `made` are those that were
/// made already.
pub(super) fn delay(made: u32) -> Option<StackDuration> {
    let growing_from = AT_ONCE + SHORT;
    match made {
        ATTEMPTS.. => None,
        made if made < AT_ONCE => Some(StackDuration::ZERO),
        made if made < growing_from => Some(StackDuration::from_secs(1)),
        made if is_steady(made) => Some(LONGEST),
        made => {
            let along = f64::from(made - growing_from) / f64::from(GROWING - 1);
            Some(StackDuration::from_millis((20_f64.powf(along) * 1_000.0).round() as u64))
        }
    }
}

/// Whether all that follow are [`LONGEST`] apart.
pub(super) fn is_steady(made: u32) -> bool {
    made >= AT_ONCE + SHORT + GROWING
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_aws_endpoint_gets_100_015_attempts_over_23_days() {
        let delays: Vec<_> = (1..).map_while(delay).collect();
        assert_eq!(delays.len() + 1, 100_015);
        let millis: Vec<_> = delays.iter().take(16).map(|delay| delay.as_millis()).collect();
        assert_eq!(millis[..5], [0, 0, 1_000, 1_000, 1_000]);
        assert_eq!((millis[13], millis[14], millis[15]), (20_000, 20_000, 20_000));
        assert!(millis[4..14].is_sorted());
        let days = delays.iter().map(|delay| delay.as_secs()).sum::<u64>() / 86_400;
        assert_eq!(days, 23);
    }
}
