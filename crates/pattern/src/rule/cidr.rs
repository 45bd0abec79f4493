//! Blocks of IP addresses.

use std::net::IpAddr;

use super::error::BadRule;

/// The addresses that share their first bits.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Block {
    address: IpAddr,
    bits: u32,
}

impl Block {
    /// `None` when the address has fewer bits.
    pub(crate) fn new(address: IpAddr, bits: u32) -> Option<Self> {
        (bits <= width(address)).then_some(Self { address, bits })
    }

    /// An address alone.
    pub(crate) fn single(address: IpAddr) -> Self {
        Self { address, bits: width(address) }
    }

    /// The operand of `cidr`. A whole address as a block is refused, as AWS's compiler does.
    pub(crate) fn parse(text: &str) -> Result<Self, BadRule> {
        let (address, bits) = text
            .split_once('/')
            .filter(|(_, bits)| !bits.contains('/'))
            .ok_or_else(|| BadRule::new("Malformed CIDR, one '/' required"))?;
        let bits: i32 =
            bits.parse().map_err(|_| BadRule::new("Malformed CIDR, mask bits must be an integer"))?;
        let bits = u32::try_from(bits)
            .map_err(|_| BadRule::new("Malformed CIDR, mask bits must not be negative"))?;
        let address: IpAddr =
            address.parse().map_err(|_| BadRule::new(format!("Nonstandard IP address: {address}")))?;
        match address {
            IpAddr::V4(_) if bits >= 32 => Err(BadRule::new("IPv4 mask bits must be < 32")),
            IpAddr::V6(_) if bits >= 128 => Err(BadRule::new("IPv6 mask bits must be < 128")),
            _ => Ok(Self { address, bits }),
        }
    }

    pub(crate) fn contains(self, text: &str) -> bool {
        let same = |left: u128, right: u128| {
            // A shift by all bits is none at all: then the two share the zero bits that are asked for.
            (left ^ right)
                .checked_shr(width(self.address) - self.bits)
                .is_none_or(|difference| difference == 0)
        };
        match (self.address, text.parse()) {
            (IpAddr::V4(left), Ok(IpAddr::V4(right))) => same(left.to_bits().into(), right.to_bits().into()),
            (IpAddr::V6(left), Ok(IpAddr::V6(right))) => same(left.to_bits(), right.to_bits()),
            _ => false,
        }
    }
}

fn width(address: IpAddr) -> u32 {
    match address {
        IpAddr::V4(_) => 32,
        IpAddr::V6(_) => 128,
    }
}
