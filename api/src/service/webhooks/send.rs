//! The HTTP client for webhook messages. It connects only to public addresses, unless the operator allows private ones.
//! It follows no redirects, and limits the time of a request.

use std::net::SocketAddr;
use std::sync::OnceLock;
use std::time::Duration;

use reqwest::dns::{Addrs, Name, Resolve, Resolving};
use reqwest::redirect::Policy;
use reqwest::{Client, Url};

use crate::ground::tls;
use crate::service::webhooks::target;

/// Longest time to send a message and to receive the answer.
pub(super) const PATIENCE: Duration = Duration::from_secs(10);

/// The HTTP client for webhook messages.
#[derive(Debug)]
pub(crate) struct Sender {
    allows_private: bool,
    client: OnceLock<Result<Client, String>>,
}

impl Sender {
    /// Makes a client for public addresses. With `allows_private`, private addresses are allowed, too.
    pub(crate) fn new(allows_private: bool) -> Self {
        Self { allows_private, client: OnceLock::new() }
    }

    /// Tells whether messages may go to private addresses.
    pub(crate) fn allows_private(&self) -> bool {
        self.allows_private
    }

    /// Sends a message with a JSON body. A status 2xx means that the receiver accepted it.
    ///
    /// # Errors
    /// The attempt failed. The text is the reason, for the owner of the webhook.
    pub(crate) async fn send(&self, url: &str, headers: &[(&str, String)], body: String) -> Result<(), String> {
        let url = target::read(url, self.allows_private).map_err(|detail| detail.text)?;
        let answer = self.post(url, headers, body).await?;
        if answer.is_success() { Ok(()) } else { Err(format!("it was answered {}", answer.as_u16())) }
    }

    async fn post(&self, url: Url, headers: &[(&str, String)], body: String) -> Result<reqwest::StatusCode, String> {
        let client = self.client.get_or_init(|| self.build()).as_ref().map_err(Clone::clone)?;
        let request = client.post(url).header("content-type", "application/json").body(body);
        let request = headers.iter().fold(request, |request, (name, value)| request.header(*name, value));
        // The body of the answer is not read.
        request.send().await.map(|answer| answer.status()).map_err(|error| reason(&error))
    }

    fn build(&self) -> Result<Client, String> {
        tls::prepare();
        Client::builder()
            .dns_resolver(PublicResolver { allows_private: self.allows_private })
            .redirect(Policy::none())
            .no_proxy()
            .timeout(PATIENCE)
            .user_agent(concat!("pagade/", env!("CARGO_PKG_VERSION")))
            .build()
            .map_err(|error| reason(&error))
    }
}

/// Describes an error with all its causes, without the address of the webhook.
fn reason(error: &reqwest::Error) -> String {
    let mut text =
        if error.is_timeout() { "there was no answer in time" } else { "the message could not be sent" }.to_owned();
    let mut cause = std::error::Error::source(error);
    while let Some(inner) = cause {
        text = format!("{text}: {inner}");
        cause = inner.source();
    }
    text.chars().take(300).collect()
}

/// Resolves host names, and refuses private addresses unless they are allowed. The client connects to the very
/// addresses that were checked, so a later, different answer of the DNS server cannot evade the check. Owners of
/// webhooks are not told whether a name has a private address or none, so they do not learn the names of the operator's
/// network.
#[derive(Debug)]
struct PublicResolver {
    allows_private: bool,
}

impl Resolve for PublicResolver {
    fn resolve(&self, name: Name) -> Resolving {
        let allows_private = self.allows_private;
        Box::pin(async move {
            let found = tokio::net::lookup_host((name.as_str(), 0)).await.map(Iterator::collect::<Vec<SocketAddr>>);
            if !allows_private {
                let is_allowed = |found: &Vec<SocketAddr>| found.iter().all(|found| target::is_public(found.ip()));
                let found = found.ok().filter(is_allowed);
                let found = found.ok_or_else(|| format!("`{}` leads to no public address", name.as_str()))?;
                return Ok(Box::new(found.into_iter()) as Addrs);
            }
            Ok(Box::new(found?.into_iter()) as Addrs)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_with_a_private_address_is_told_like_one_without_an_address() {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        for name in ["localhost", "unknown.invalid"] {
            let resolving = PublicResolver { allows_private: false }.resolve(name.parse().unwrap());
            let told = runtime.block_on(resolving).map(drop).unwrap_err().to_string();
            assert_eq!(told, format!("`{name}` leads to no public address"));
        }
        let resolving = PublicResolver { allows_private: true }.resolve("localhost".parse().unwrap());
        assert!(runtime.block_on(resolving).unwrap().next().is_some());
    }
}
