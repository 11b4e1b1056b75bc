//! Clients: the network addresses by which requests are counted.

use std::net::IpAddr;

/// Returns the number under which requests of an address are counted.
///
/// One household usually has a whole /64 network of IPv6 addresses, so only the first 64 bits of such an address count.
pub(super) fn number(address: IpAddr) -> u128 {
    match address {
        IpAddr::V4(address) => address.to_ipv6_mapped().to_bits(),
        IpAddr::V6(address) => address.to_bits() >> 64 << 64,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_network_of_ipv6_is_one_client() {
        let number = |text: &str| number(text.parse().unwrap());
        assert_eq!(number("2001:db8::1"), number("2001:db8::ffff:1"));
        assert_ne!(number("2001:db8::1"), number("2001:db8:0:1::1"));
        assert_ne!(number("1.2.3.4"), number("1.2.3.5"));
    }
}
