//! Lists the faults of [`caustic_passes::faults`]: the name of each, a tab, and what goes wrong.

fn main() {
    for (name, what) in caustic_passes::faults::names() {
        println!("{name}\t{what}");
    }
}
