//! Numbers as JavaScript prints them.
//!
//! Stores and outputs hold JavaScript numbers, whatever Rust type carried them here: an integer
//! that a 64-bit float cannot hold is printed as the float nearest to it.

use serde_json::Number;

/// The number as the 64-bit float it stands for.
pub(super) fn as_float(number: &Number) -> f64 {
    #[expect(
        clippy::expect_used,
        reason = "serde_json keeps integers of 64 bits and floats, and each of them converts"
    )]
    number.as_f64().expect("every number is a float")
}

/// A finite float: whole ones in full below 1e21, the shortest text that reads back otherwise.
/// Minus zero is `0`.
pub(super) fn text(number: f64) -> String {
    ryu_js::Buffer::new().format(number).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exponents_begin_where_javascript_begins_them() {
        let cases = [
            (1e20, "100000000000000000000"),
            (1e21, "1e+21"),
            (123_456_789_012_345_680_000.0, "123456789012345680000"),
            (1e-6, "0.000001"),
            (1e-7, "1e-7"),
            (-1.5e-7, "-1.5e-7"),
            (0.1 + 0.2, "0.30000000000000004"),
            (-0.0, "0"),
            (5.0, "5"),
            (f64::MAX, "1.7976931348623157e+308"),
            (5e-324, "5e-324"),
        ];
        for (number, expected) in cases {
            assert_eq!(text(number), expected);
        }
    }

    #[test]
    fn integers_that_no_float_holds_become_the_nearest() {
        for (number, expected) in [
            (Number::from(9_007_199_254_740_993_u64), "9007199254740992"),
            (Number::from(u64::MAX), "18446744073709552000"),
            (Number::from(i64::MIN), "-9223372036854776000"),
            (Number::from(1_796_044_961_065_u64), "1796044961065"),
        ] {
            assert_eq!(text(as_float(&number)), expected);
        }
    }
}
