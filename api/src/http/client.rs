//! The network address of a client, with or without proxies in front of the service.

use std::net::{IpAddr, Ipv6Addr, SocketAddr};

use actix_web::http::header::HeaderMap;

/// Returns the network address of the client. If there are proxies, each of them appends to the header the address that
/// it saw. The result is the address that the outermost trusted proxy appended, because a client can forge all entries
/// before it.
pub(crate) fn address(peer: Option<SocketAddr>, headers: &HeaderMap, header: &str, proxies: u8) -> IpAddr {
    let peer = peer.map_or(IpAddr::V6(Ipv6Addr::UNSPECIFIED), |peer| peer.ip());
    if proxies == 0 {
        return peer.to_canonical();
    }
    let lines = headers.get_all(header).filter_map(|line| line.to_str().ok());
    let seen: Vec<&str> = lines.flat_map(|line| line.split(',')).collect();
    let outermost = seen.iter().rev().take(proxies.into()).map_while(|text| read(text)).last();
    outermost.unwrap_or(peer).to_canonical()
}

/// Parses an address as proxies write it: with or without a port, IPv6 with or without brackets.
fn read(text: &str) -> Option<IpAddr> {
    let text = text.trim();
    let bare = text.strip_prefix('[').and_then(|text| text.strip_suffix(']')).unwrap_or(text);
    bare.parse().ok().or_else(|| text.parse::<SocketAddr>().ok().map(|address| address.ip()))
}

#[cfg(test)]
mod tests {
    use actix_web::http::header::{HeaderName, HeaderValue};

    use super::*;

    fn seen(lines: &[&str], proxies: u8) -> String {
        let mut headers = HeaderMap::new();
        for line in lines {
            headers.append(HeaderName::from_static("x-forwarded-for"), HeaderValue::from_str(line).unwrap());
        }
        address(Some(([127, 0, 0, 1], 9).into()), &headers, "X-Forwarded-For", proxies).to_string()
    }

    #[test]
    fn only_what_trusted_proxies_have_seen_counts() {
        let lines = ["6.6.6.6, 1.2.3.4", "10.0.0.1"];
        assert_eq!(seen(&lines, 0), "127.0.0.1", "nobody is trusted");
        assert_eq!(seen(&lines, 1), "10.0.0.1");
        assert_eq!(seen(&lines, 2), "1.2.3.4");
        assert_eq!(seen(&["1.2.3.4"], 2), "1.2.3.4", "someone came in behind the first proxy");
        assert_eq!(seen(&["unknown, 10.0.0.1"], 2), "10.0.0.1");
        assert_eq!(seen(&["unknown"], 1), "127.0.0.1");
        assert_eq!(seen(&[], 1), "127.0.0.1");
        assert_eq!(seen(&["[2001:db8::7]:443"], 1), "2001:db8::7");
        assert_eq!(seen(&["::ffff:1.2.3.4"], 1), "1.2.3.4");
        assert_eq!(seen(&["1.2.3.4:5678"], 1), "1.2.3.4");
    }
}
