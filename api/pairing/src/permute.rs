//! All orders of the entrants of a table.

/// Calls `see` with every order of the items.
pub(super) fn permute(items: &mut [usize], see: &mut impl FnMut(&[usize])) {
    permute_from(items, 0, see);
}

fn permute_from(items: &mut [usize], from: usize, see: &mut impl FnMut(&[usize])) {
    if from == items.len() {
        return see(items);
    }
    for other in from..items.len() {
        items.swap(from, other);
        permute_from(items, from + 1, see);
        items.swap(from, other);
    }
}
