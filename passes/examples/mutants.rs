//! Lists the mutants of [`caustic_passes::mutants`]: the name of each, a tab, and what goes wrong.

fn main() {
    let rewrites = caustic_passes::optimize::all_rewrites().map(|r| (r.name, r.doc));
    for (name, what) in caustic_passes::mutants::names(rewrites) {
        println!("{name}\t{what}");
    }
}
