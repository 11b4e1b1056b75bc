//! Work that goes on to its end when the caller stops waiting for it.

use std::pin::Pin;
use std::task::{Context, Poll};

use tokio::runtime::Handle;

use crate::telemetry;

/// A future that goes on in a task of its own if it is dropped before its end, for example because a client
/// disconnects.
pub(super) struct Uncancelled<T: Send + 'static>(Option<Pin<Box<dyn Future<Output = T> + Send>>>);

impl<T: Send + 'static> Uncancelled<T> {
    /// Wraps a future. It starts when it is first polled.
    pub(super) fn new(work: impl Future<Output = T> + Send + 'static) -> Self {
        Self(Some(Box::pin(work)))
    }
}

impl<T: Send + 'static> Future for Uncancelled<T> {
    type Output = T;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<T> {
        let Some(work) = self.0.as_mut() else { return Poll::Pending };
        let polled = work.as_mut().poll(context);
        if polled.is_ready() {
            self.0 = None;
        }
        polled
    }
}

impl<T: Send + 'static> Drop for Uncancelled<T> {
    fn drop(&mut self) {
        if let (Some(work), Ok(runtime)) = (self.0.take(), Handle::try_current()) {
            runtime.spawn(telemetry::still_within(telemetry::current(), work));
        }
    }
}

#[cfg(test)]
mod tests {
    use std::future::{pending, ready};

    use tokio::sync::oneshot;

    use super::*;

    #[tokio::test]
    async fn work_ends_whether_it_is_waited_for_or_not() {
        assert_eq!(Uncancelled::new(ready(7)).await, 7);
        let (go, gone) = oneshot::channel::<()>();
        let (done, is_done) = oneshot::channel();
        let mut work = Uncancelled::new(async move {
            gone.await.expect("it is told to go on");
            done.send(8).expect("somebody waits");
        });
        let waiting = std::future::poll_fn(|context| Poll::Ready(Pin::new(&mut work).poll(context)));
        assert!(waiting.await.is_pending());
        drop(work);
        go.send(()).expect("the work goes on");
        assert_eq!(is_done.await, Ok(8));
    }

    #[test]
    fn without_a_runtime_it_is_dropped() {
        drop(Uncancelled::new(pending::<()>()));
    }
}
