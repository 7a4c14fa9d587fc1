//! Environment, time, randomness and other tools: everything else that asks the world.

use super::{Ctx, NativeDef, plain};
use crate::error::{Res, fail, out_of_memory};
use crate::prims::json::{Symbols, from_scheme};
use crate::reader::{Source, read_from};
use crate::text::Text;
use crate::value::Word;

/// Steps that a question to the host costs.
const HOST_CALL: usize = 64;

fn get_variable(cx: &mut Ctx, a: &[Word]) -> Res {
    cx.charge(HOST_CALL);
    let Some(name) = a.first() else {
        return fail("get-environment-variable: expected 1 argument, got 0", &[]);
    };
    let Some(name) = cx.heap.as_text(*name).map(crate::text::Text::to_utf8) else {
        return fail(
            "get-environment-variable: expected string argument",
            &[*name],
        );
    };
    match cx.world.env_var(&name) {
        Some(v) => Ok(cx.heap.string(v)),
        None => Ok(Word::FALSE),
    }
}

fn get_variables(cx: &mut Ctx, _: &[Word]) -> Res {
    cx.charge(HOST_CALL);
    let mut items = Vec::new();
    for (k, v) in cx.world.env_vars() {
        let k = cx.heap.string(k);
        let v = cx.heap.string(v);
        items.push(cx.heap.cons(k, v));
    }
    Ok(cx.heap.list(&items))
}

fn command_line(cx: &mut Ctx, _: &[Word]) -> Res {
    let items: Vec<Word> = cx
        .command_line
        .clone()
        .into_iter()
        .map(|s| cx.heap.string(s))
        .collect();
    Ok(cx.heap.list(&items))
}

fn current_second(cx: &mut Ctx, _: &[Word]) -> Res {
    cx.charge(HOST_CALL);
    let t = cx.world.wall_clock().as_secs_f64();
    Ok(cx.heap.flonum(t))
}

fn current_jiffy(cx: &mut Ctx, _: &[Word]) -> Res {
    cx.charge(HOST_CALL);
    let n = cx.world.monotonic_nanos();
    Ok(Word::fix((n & ((1 << 61) - 1)) as i64))
}

fn random_bytes(cx: &mut Ctx, a: &[Word]) -> Res {
    cx.charge(HOST_CALL);
    let Some(n) = a[0].as_fix().filter(|n| *n >= 0) else {
        return fail("random-bytes: n must be non-negative", a);
    };
    let n = n as usize;
    if n > 1 << 20 {
        return fail("random-bytes: at most 1048576 at a time", a);
    }
    let mut bytes = vec![0; n];
    cx.world.random(&mut bytes);
    cx.charge(n / 64);
    Ok(cx.heap.bytevector(bytes))
}

fn generate_id(cx: &mut Ctx, _: &[Word]) -> Res {
    cx.charge(HOST_CALL);
    let mut b = [0u8; 4];
    cx.world.random(&mut b);
    Ok(cx.heap.string(format!("{:08x}", u32::from_be_bytes(b))))
}

/// Days since the epoch to year, month and day (proleptic Gregorian).
fn civil(days: i64) -> (i64, i64, i64) {
    // Years from 1 March, so that the leap day is the last of its year.
    let z = days + 719_468;
    let era = z.div_euclid(146_097);
    let day_of_era = z.rem_euclid(146_097);
    let year_of_era =
        (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month_from_march = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month_from_march + 2) / 5 + 1;
    let month = if month_from_march < 10 {
        month_from_march + 3
    } else {
        month_from_march - 9
    };
    (year_of_era + era * 400 + i64::from(month <= 2), month, day)
}

fn current_timestamp(cx: &mut Ctx, _: &[Word]) -> Res {
    cx.charge(HOST_CALL);
    let seconds = cx.world.wall_clock().as_secs() as i64;
    let (y, m, d) = civil(seconds.div_euclid(86_400));
    let minutes = seconds.rem_euclid(86_400) / 60;
    Ok(cx.heap.string(format!(
        "{y:04}{m:02}{d:02}-{:02}{:02}z",
        minutes / 60,
        minutes % 60
    )))
}

/// The arguments of `call-tool` and its kin: a name and a JSON object.
fn tool_call(cx: &mut Ctx, who: &str, a: &[Word]) -> Res<(String, String)> {
    let Some(name) = cx.heap.as_text(a[0]).map(crate::text::Text::to_utf8) else {
        return fail(format!("{who}: the name must be a string"), &a[..1]);
    };
    // No arguments are an empty object.
    let arguments = if a[1] == Word::NIL {
        "{}".to_owned()
    } else {
        from_scheme(cx, a[1], Symbols::AsStrings)?
    };
    Ok((name, arguments))
}

/// Lets another tool run, which may use steps of this entry's.
fn nested<T>(cx: &mut Ctx, call: impl FnOnce(&mut Ctx) -> T) -> T {
    settle(cx);
    let answer = call(cx);
    settle(cx);
    answer
}

fn settle(cx: &mut Ctx) {
    let left = u64::try_from(cx.steps).unwrap_or(0);
    let now = cx.world.steps_left(left);
    cx.steps = cx.steps.min(i64::try_from(now).unwrap_or(i64::MAX));
}

fn call_tool(cx: &mut Ctx, a: &[Word]) -> Res {
    let (name, arguments) = tool_call(cx, "call-tool", a)?;
    match nested(cx, |cx| cx.world.call_tool(&name, &arguments)) {
        Ok(s) => Ok(cx.heap.string(s)),
        Err(e) => fail(e, &[]),
    }
}

fn call_tool_value(cx: &mut Ctx, a: &[Word]) -> Res {
    let (name, arguments) = tool_call(cx, "call-tool/value", a)?;
    let text = match nested(cx, |cx| cx.world.call_tool_value(&name, &arguments)) {
        Ok(s) => s,
        Err(e) => return fail(e, &[]),
    };
    cx.reserve(text.len().saturating_mul(4))?;
    cx.spend(text.len() as u64 / 8)?;
    let text = Text::from(text.as_str());
    match read_from(cx, &mut Source::new(&text)) {
        Ok(Some(datum)) => Ok(datum),
        Err(e) if e.memory => out_of_memory(),
        // The host passes on what a guest wrote, so this is a fault of one of the two.
        Ok(None) | Err(_) => fail("call-tool/value: the value cannot be read", &[a[0]]),
    }
}

pub(crate) const NATIVES: &[NativeDef] = &[
    plain("get-environment-variable", 0, -1, get_variable),
    plain("get-environment-variables", 0, 0, get_variables),
    plain("command-line", 0, 0, command_line),
    plain("current-second", 0, 0, current_second),
    plain("current-jiffy", 0, 0, current_jiffy),
    plain("random-bytes", 1, 1, random_bytes),
    plain("generate-id", 0, 0, generate_id),
    plain("current-timestamp", 0, 0, current_timestamp),
    plain("call-tool", 2, 2, call_tool),
    plain("call-tool/value", 2, 2, call_tool_value),
];

#[cfg(test)]
mod tests {
    #[test]
    fn days_become_dates() {
        assert_eq!(super::civil(0), (1970, 1, 1));
        assert_eq!(super::civil(19_782), (2024, 2, 29));
        assert_eq!(super::civil(20_788), (2026, 12, 1));
        assert_eq!(super::civil(-1), (1969, 12, 31));
    }
}
