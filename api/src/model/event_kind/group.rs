//! The events of groups: their words and meanings.

use super::words::event_kinds;

event_kinds! {
    /// The kinds of events that are about a group itself. The stream of a group also contains the events of its games.
    pub(crate) GroupEventKind as "GroupEventWord", games: true {
        Created = "group_created": "the group was created",
        Complete = "group_complete": "no more games are added",
        Over = "group_over": "no more games are added, and all games are over",
        TokenChanged = "group_token_changed": "the token of the group, or its invitation, was renewed",
        WebhooksChanged = "group_webhooks_changed": "a webhook of the group was registered or removed",
    }
}
