//! How many jumps the effects of rules may cause.

/// Maximum number of jumps that one event may cause in sequence. The limit ends circles of jumps.
pub(super) const MAX_JUMPS: u8 = 8;
/// Maximum number of jumps that the effects of one line may cause in all. The limit ends chains in which each jump
/// causes several others.
pub(super) const MAX_JUMPS_OF_A_LINE: u8 = 64;
