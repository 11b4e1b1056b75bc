//! The addresses to which webhook messages may go: only public ones, so that no one can reach the operator's own
//! network. The operator can allow private ones.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use reqwest::Url;

use crate::error::{Detail, detail};

/// Longest URL, in characters.
pub(crate) const LONGEST: usize = 1000;

/// Reads a URL, and checks whether messages may go there. A host name is resolved and checked again whenever a message
/// is sent.
///
/// # Errors
/// The URL is not allowed. The text is the reason, for the owner of the webhook.
pub(crate) fn read(text: &str, allows_private: bool) -> Result<Url, Detail> {
    if text.chars().count() > LONGEST {
        return Err(detail!("it has more than {most} characters", most = LONGEST));
    }
    let url = Url::parse(text).map_err(|_| detail!("it is not a URL"))?;
    match url.scheme() {
        "https" => {}
        "http" if allows_private => {}
        scheme => return Err(detail!("`{scheme}` is not taken here: send an address with `https`", scheme)),
    }
    if !url.username().is_empty() || url.password().is_some() {
        return Err(detail!("the URL must not contain a name or a password: messages are signed"));
    }
    let host = url.host_str().unwrap_or_default();
    let literal = host.trim_start_matches('[').trim_end_matches(']').parse::<IpAddr>();
    let may_be_public = literal.map_or_else(|_| is_public_name(host), is_public);
    if !allows_private && !may_be_public || url.port() == Some(0) {
        return Err(detail!("`{host}` is not a public address", host));
    }
    Ok(url)
}

/// Tells whether a host name may have a public address. A name without a dot has none, nor has a name in a domain that
/// is reserved for private networks (RFC 6761, RFC 6762).
fn is_public_name(host: &str) -> bool {
    match host.trim_end_matches('.').rsplit_once('.') {
        Some((_, domain)) => !["localhost", "local", "internal", "invalid", "test"].contains(&domain),
        None => false,
    }
}

/// Tells whether an IP address can be reached from the whole Internet.
pub(crate) fn is_public(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(address) => is_public_v4(address),
        IpAddr::V6(address) => is_public_v6(address),
    }
}

fn is_public_v4(address: Ipv4Addr) -> bool {
    let [a, b, c, _] = address.octets();
    let is_special = address.is_private()
        || address.is_loopback()
        || address.is_link_local()
        || address.is_documentation()
        || address.is_multicast()
        || a == 0
        || a >= 240
        || (a, b & 0b1100_0000) == (100, 64)
        || (a, b, c) == (192, 0, 0)
        || (a, b & 0xfe) == (198, 18);
    !is_special
}

fn is_public_v6(address: Ipv6Addr) -> bool {
    let parts = address.segments();
    let low = |high: u16, low: u16| Ipv4Addr::from_bits(u32::from(high) << 16 | u32::from(low));
    match parts {
        // These addresses contain an IPv4 address, and are public if it is: mapped, translated (NAT64), and 6to4 ones.
        [0, 0, 0, 0, 0, 0xffff, a, b] | [0x64, 0xff9b, 0, 0, 0, 0, a, b] => is_public_v4(low(a, b)),
        [0x2002, a, b, ..] => is_public_v4(low(a, b)),
        // These addresses are reserved for documentation and for Teredo tunnels.
        [0x2001, 0xdb8, ..] | [0x2001, 0, ..] | [0x3fff, 0..0x1000, ..] => false,
        // Only 2000::/3 is assigned to the public Internet.
        [first, ..] => first & 0xe000 == 0x2000,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_public_addresses_are_public() {
        let public = ["1.1.1.1", "93.184.216.34", "2606:4700::1", "::ffff:1.1.1.1", "64:ff9b::101:101"];
        let private = [
            "127.0.0.1",
            "127.9.9.9",
            "10.1.2.3",
            "172.16.0.1",
            "172.31.255.255",
            "192.168.1.1",
            "169.254.169.254",
            "100.64.0.1",
            "0.0.0.0",
            "192.0.0.8",
            "192.0.2.1",
            "198.18.0.1",
            "224.0.0.1",
            "255.255.255.255",
            "::",
            "::1",
            "fe80::1",
            "fc00::1",
            "fd12::1",
            "ff02::1",
            "2001:db8::1",
            "::ffff:10.0.0.1",
            "64:ff9b::a00:1",
            "2002:a00:1::",
            "2001::1",
        ];
        for address in public {
            assert!(is_public(address.parse().unwrap()), "{address}");
        }
        for address in private {
            assert!(!is_public(address.parse().unwrap()), "{address}");
        }
    }

    #[test]
    fn an_address_is_refused_with_the_reason() {
        assert!(read("https://example.org/hook?x=1", false).is_ok());
        assert!(read("http://127.0.0.1:9/hook", true).is_ok());
        for (text, reason) in [
            ("http://example.org", "`https`"),
            ("ftp://example.org", "`https`"),
            ("https://u:p@example.org", "password"),
            ("https://127.0.0.1/", "not a public address"),
            ("https://localhost/", "not a public address"),
            ("https://LOCALHOST./", "not a public address"),
            ("https://a.localhost/", "not a public address"),
            ("https://printer.local/", "not a public address"),
            ("https://vm.internal:8443/", "not a public address"),
            ("https://vm/", "not a public address"),
            ("https://example.org:0/", "not a public address"),
            ("https://0x7f.1/", "not a public address"),
            ("https://2130706433/", "not a public address"),
            ("https://[::1]/", "not a public address"),
            ("nonsense", "not a URL"),
        ] {
            let told = read(text, false).unwrap_err();
            assert!(told.text.contains(reason), "{text}: {told:?}");
        }
    }
}
