//! Keeps the messages of panics, so that error records can show them.

/// The message of a panic.
#[must_use]
pub fn panic_message(cause: &(dyn std::any::Any + Send)) -> &str {
    let text = cause.downcast_ref::<String>().map(String::as_str);
    text.or_else(|| cause.downcast_ref::<&str>().copied()).unwrap_or("no message")
}
