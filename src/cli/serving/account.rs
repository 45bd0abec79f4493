//! Accounts on the command line.

pub(in crate::cli) fn account(text: &str) -> Result<String, String> {
    let is_account = text.len() == 12 && text.bytes().all(|byte| byte.is_ascii_digit());
    is_account.then(|| text.to_owned()).ok_or_else(|| "an account has 12 digits".to_owned())
}
