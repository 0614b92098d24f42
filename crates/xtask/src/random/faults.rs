//! Operations that are defined for all values that were seen at a place, or not for one of them: what `--checks` puts there.

use super::Kind;
use super::program::Sketch;
use fastrand::Rng;

/// What is checked beside lost blocks.
const CHECKS: &str = "assertions,memory,free,overflow,division,shift,uninitialised";
/// Longest array that is indexed by a value.
const LONGEST: i64 = 200;

/// What is checked in a program. Lists are never freed, so lost blocks are no fault where there is one.
pub fn checks(sketch: &Sketch) -> String {
    format!("{CHECKS}{}", if loses_blocks(sketch) { "" } else { ",leak" })
}

fn loses_blocks(sketch: &Sketch) -> bool {
    sketch.text.contains("malloc")
}

/// An operation on a value, which was seen to be one of these; `None` if they don't suit it.
pub fn operation(sketch: &Sketch, (value, values): (&str, &[i64]), kind: Kind, rng: &mut Rng) -> Option<String> {
    let (&low, &high) = (values.first()?, values.last()?);
    let fails = kind == Kind::Fails;
    // The value in one run, or none of them.
    let some = values[rng.usize(..values.len())];
    let bad = if fails { some } else { (some..).find(|value| values.binary_search(value).is_err())? };
    let is_bad = format!("(long long)({value}) == ({bad}LL)");
    let index = format!("(long long)({value}) - ({low}LL)");
    let room = high - low + 1 - i64::from(fails);
    let has_room = room > 0 && room <= LONGEST;
    Some(match rng.u8(..14) {
        0 if low >= -1000 && high <= 1_000_000 => {
            let add = i64::from(i32::MAX) - high + i64::from(fails);
            if add > i64::from(i32::MAX) {
                return None;
            }
            format!("{{ int sum = (int)({value}) + {add}; (void)sum; }}")
        }
        1 => format!("{{ long long ratio = 100 / ((long long)({value}) - ({bad}LL)); (void)ratio; }}"),
        2 if high - low < 32 => {
            let first = if fails { high - 32 } else { low };
            format!("{{ unsigned bit = 1u << ((long long)({value}) - ({first}LL)); (void)bit; }}")
        }
        3 if has_room => format!("{{ char room[{room}]; room[{index}] = 1; }}"),
        4 if has_room => {
            format!("{{ char *room = malloc({room}); if (room) {{ room[{index}] = 1; free(room); }} }}")
        }
        5 if has_room => format!("{{ char room[{room}]; memset(room, 0, (unsigned long)({index} + 1)); }}"),
        6 => format!("{{ int one = 1, *p = {is_bad} ? 0 : &one; *p = 2; }}"),
        7 => format!("{{ void *p = malloc(4); free(p); if (p && {is_bad}) free(p); }}"),
        8 => format!(
            "{{ int *p = malloc(4); if (p) {{ int gone = {is_bad}; if (gone) free(p); *p = 1; if (!gone) free(p); }} }}"
        ),
        9 => format!("{{ int one = 1, *p = &one; if ({is_bad}) {{ int inner = 2; p = &inner; }} *p = 3; }}"),
        10 if !loses_blocks(sketch) => format!("{{ void *p = malloc(4); if (!({is_bad})) free(p); }}"),
        11 => format!("{{ char own[2] = \"a\", *p = {is_bad} ? (char *)\"a\" : own; p[0] = 'b'; }}"),
        12 => format!("{{ int one, *p = malloc(4), *q = {is_bad} ? &one : p; free(q); if (q != p) free(p); }}"),
        13 => format!("{{ int set; if (!({is_bad})) set = 1; if (set == 2) reach_error(); }}"),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::native;
    use std::fs;

    /// What holds is defined for each of the values, natively.
    #[test]
    fn operations_that_hold_are_defined() {
        let folder = std::env::temp_dir().join(format!("hone-faults-test-{}", std::process::id()));
        fs::create_dir_all(&folder).expect("a folder");
        let sketch = Sketch { text: String::new(), observed: 1 };
        let mut rng = Rng::with_seed(3);
        let operations: String =
            (0..60).filter_map(|_| operation(&sketch, ("x", &[-1, 0, 2]), Kind::Holds, &mut rng)).collect();
        let run = |body: &str| {
            let text = format!(
                "{}int main(void) {{ int x = __VERIFIER_nondet_int(); __VERIFIER_assume(x >= -1 && x <= 2 && x != 1); {body} return 0; }}\n",
                super::super::PROLOGUE
            );
            native::run(&folder, "test", &text).expect("gcc works")
        };
        let runs = run(&operations).expect("no run is undefined");
        assert_eq!(runs.errors, 0);
        for seed in 0..40 {
            let Some(fails) = operation(&sketch, ("x", &[-1, 0, 2]), Kind::Fails, &mut Rng::with_seed(seed)) else {
                continue;
            };
            // Neither values that were never written nor lost blocks end a native run.
            if !fails.contains("int set") && !fails.contains("{ void *p = malloc(4); if") {
                assert!(run(&fails).is_none(), "{fails}");
            }
        }
        fs::remove_dir_all(&folder).expect("the folder is there");
    }
}
