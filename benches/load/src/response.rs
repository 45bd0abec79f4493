//! The least of HTTP/1.1 that it takes to find where an answer ends.

/// How the length of a body is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Length {
    Bytes(usize),
    Chunked,
    /// It ends with the connection.
    Rest,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Head {
    pub(crate) status: u16,
    /// Of the head itself, its empty line included.
    pub(crate) size: usize,
    pub(crate) length: Length,
    pub(crate) keeps_alive: bool,
}

/// Reads a head; `None` when it is not whole yet, or none at all.
pub(crate) fn head(bytes: &[u8]) -> Option<Head> {
    let size = bytes.windows(4).position(|four| four == b"\r\n\r\n")? + 4;
    let text = std::str::from_utf8(&bytes[..size]).ok()?;
    let mut lines = text.split("\r\n");
    let mut first = lines.next()?.split(' ');
    let version = first.next()?;
    let status = first.next()?.parse().ok()?;
    let mut head = Head { status, size, length: Length::Rest, keeps_alive: version != "HTTP/1.0" };
    for (name, value) in lines.filter_map(|line| line.split_once(':')) {
        let value = value.trim();
        if name.eq_ignore_ascii_case("content-length") {
            head.length = Length::Bytes(value.parse().ok()?);
        } else if name.eq_ignore_ascii_case("transfer-encoding") {
            head.length = Length::Chunked;
        } else if name.eq_ignore_ascii_case("connection") {
            head.keeps_alive = value.eq_ignore_ascii_case("keep-alive");
        }
    }
    Some(head)
}

/// A chunked body put together; `None` when it is not whole yet.
pub(crate) fn chunks(mut bytes: &[u8]) -> Option<Vec<u8>> {
    let mut body = Vec::new();
    loop {
        let line = bytes.windows(2).position(|two| two == b"\r\n")?;
        let size = std::str::from_utf8(&bytes[..line]).ok()?.split(';').next()?.trim();
        let size = usize::from_str_radix(size, 16).ok()?;
        let chunk = bytes.get(line + 2..line + 2 + size + 2)?;
        body.extend_from_slice(&chunk[..size]);
        if size == 0 {
            return Some(body);
        }
        bytes = &bytes[line + 2 + size + 2..];
    }
}

/// The texts of a JSON member, as they stand between its quotes: a receipt handle can be sent back
/// as it came, whatever is escaped in it.
pub(crate) fn members<'a>(body: &'a str, name: &'a str) -> impl Iterator<Item = &'a str> {
    body.split(name).skip(1).filter_map(|rest| {
        let text = rest.strip_prefix('"')?.trim_start().strip_prefix(':')?.trim_start().strip_prefix('"')?;
        text.split('"').next()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_head_says_where_the_body_ends() {
        let bytes = b"HTTP/1.1 400 Bad Request\r\nContent-LENGTH: 12\r\nx: y\r\n\r\nbody";
        let whole = head(bytes).expect("a head");
        let size = bytes.len() - "body".len();
        assert_eq!(whole, Head { status: 400, size, length: Length::Bytes(12), keeps_alive: true });
        assert_eq!(head(&bytes[..bytes.len() - 5]), None);
        let closing = head(b"HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n").expect("a head");
        assert_eq!((closing.length, closing.keeps_alive), (Length::Rest, false));
    }

    #[test]
    fn chunks_are_put_together() {
        let bytes = b"3\r\nabc\r\n2;x=y\r\nde\r\n0\r\n\r\n";
        assert_eq!(chunks(bytes), Some(b"abcde".to_vec()));
        assert_eq!(chunks(&bytes[..12]), None);
    }

    #[test]
    fn members_are_found_with_and_without_spaces() {
        let body = r#"{"A":[{"Handle":"x/=="},{"Handle" : "y"}],"Other":"z"}"#;
        assert_eq!(members(body, "Handle").collect::<Vec<_>>(), ["x/==", "y"]);
    }
}
