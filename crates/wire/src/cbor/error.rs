//! Reading the type and the message out of an error answer.

use minicbor::Decoder;
use minicbor::data::Type;
use minicbor::decode::Error;

/// The `__type` and the message in a map.
pub(crate) fn read_error(body: &[u8]) -> (Option<String>, Option<String>) {
    fields(body).unwrap_or_default()
}

fn fields(body: &[u8]) -> Result<(Option<String>, Option<String>), Error> {
    let mut decoder = Decoder::new(body);
    let (mut shape, mut message) = (None, None);
    let mut left = decoder.map()?;
    while more(&mut decoder, &mut left)? {
        match text(&mut decoder)?.as_str() {
            "__type" => shape = Some(text(&mut decoder)?),
            "message" | "Message" => message = Some(text(&mut decoder)?),
            _ => decoder.skip()?,
        }
    }
    Ok((shape, message))
}

/// Whether another entry follows, in a collection of so many more or of an indefinite length.
pub(super) fn more(decoder: &mut Decoder<'_>, left: &mut Option<u64>) -> Result<bool, Error> {
    match left {
        Some(0) => Ok(false),
        Some(left) => {
            *left -= 1;
            Ok(true)
        }
        None if decoder.datatype()? == Type::Break => {
            decoder.set_position(decoder.position() + 1);
            Ok(false)
        }
        None => Ok(true),
    }
}

/// A text, in one piece or in many.
pub(super) fn text(decoder: &mut Decoder<'_>) -> Result<String, Error> {
    decoder.str_iter()?.collect()
}
