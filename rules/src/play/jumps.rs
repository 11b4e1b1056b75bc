//! How many jumps the effects of rules may cause.

/// Maximum number of jumps that one event may cause in sequence. It ends jumps in a circle.
pub(super) const MAX_JUMPS: u8 = 8;
/// Maximum number of jumps that the effects of one line may cause in all. It ends jumps that each cause several others.
pub(super) const MAX_JUMPS_OF_A_LINE: u8 = 64;
