//! Numbers as CloudWatch's texts have them: as Java writes a double.

/// At least one digit behind the point; from 10^7 on, and below 10^-3, with an exponent.
pub(crate) fn text(value: f64) -> String {
    let size = value.abs();
    if value.is_infinite() {
        return if value > 0.0 { "Infinity" } else { "-Infinity" }.to_owned();
    }
    if size == 0.0 || (1e-3..1e7).contains(&size) || value.is_nan() {
        return format!("{value:?}");
    }
    let text = format!("{value:E}");
    match text.split_once('E') {
        Some((digits, exponent)) if !digits.contains('.') => format!("{digits}.0E{exponent}"),
        _ => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_as_semantics_4_2_observed_them() {
        for (value, expected) in [
            (21.0, "21.0"),
            (0.0, "0.0"),
            (-0.5, "-0.5"),
            (0.005, "0.005"),
            (1234567.5, "1234567.5"),
            (21_474_836_480.0, "2.147483648E10"),
            (1e7, "1.0E7"),
            (0.0001, "1.0E-4"),
        ] {
            assert_eq!(text(value), expected);
        }
    }
}
