//! The rule about layers within a crate: the table of folders in `docs/architecture.md` must match
//! the sources.
//!
//! A row names a folder (or a single file) of `passes/src` and the folders that it imports. A
//! folder only imports folders that stand above it, so there are no cycles.

use crate::tidy::{files, listed, read};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// The crate whose folders are layers.
const CRATE: &str = "passes/src";
/// The root of the crate, which imports everything and has no row.
const ROOT: &str = "lib.rs";

/// The rule `tidy/folders`.
pub fn rule(root: &Path) -> Result<(), String> {
    let table = table(&read(root, "docs/architecture.md")?)?;
    let imports = imports(root)?;
    let mut problems = Vec::new();
    for (folder, imported) in &imports {
        let Some(at) = table.iter().position(|(name, _)| name == folder) else {
            problems.push(format!("`{folder}` of {CRATE} is missing from the table of folders"));
            continue;
        };
        let allowed = &table[at].1;
        for (other, place) in imported.iter().filter(|(other, _)| !allowed.contains(*other)) {
            problems.push(format!("{place}: `{folder}` imports `{other}`, which the table does not allow"));
        }
        for other in allowed.iter().filter(|other| !imported.contains_key(*other)) {
            problems.push(format!("the table says that `{folder}` imports `{other}`; it does not"));
        }
    }
    for (at, (folder, allowed)) in table.iter().enumerate() {
        if !imports.contains_key(folder) {
            problems.push(format!("there is no folder `{folder}` in {CRATE}"));
        }
        let above: Vec<&String> = table[..at].iter().map(|(name, _)| name).collect();
        let upwards = allowed.iter().filter(|other| !above.contains(other));
        problems
            .extend(upwards.map(|other| format!("`{folder}` imports `{other}`, which stands below it in the table")));
    }
    listed(problems)
}

/// Rows of the table whose first column is `folder of passes`: folder, job, imports.
fn table(text: &str) -> Result<Vec<(String, BTreeSet<String>)>, String> {
    let mut rows = Vec::new();
    let mut in_table = false;
    for line in text.lines() {
        let cells: Vec<&str> = line.trim().trim_matches('|').split('|').map(str::trim).collect();
        if !line.starts_with('|') {
            in_table = false;
        } else if cells[0] == "folder of `passes`" {
            in_table = true;
        } else if in_table && !cells[0].starts_with("---") {
            let [folder, _job, imports] = cells[..] else {
                return Err(format!("a row of the table of folders has not three cells: {line}"));
            };
            let names = imports.split(',').map(|n| n.trim().trim_matches('`').to_string());
            let names = names.filter(|n| !n.is_empty() && n != "-").collect();
            rows.push((folder.trim_matches('`').to_string(), names));
        }
    }
    if rows.is_empty() { Err("docs/architecture.md has no table of folders".into()) } else { Ok(rows) }
}

/// By folder: the folders of the same crate that its code names, with one line each.
fn imports(root: &Path) -> Result<BTreeMap<String, BTreeMap<String, String>>, String> {
    let mut found: BTreeMap<String, BTreeMap<String, String>> = BTreeMap::new();
    let sources: Vec<String> = files(root)?;
    let inside: Vec<&str> = sources.iter().filter_map(|p| p.strip_prefix(CRATE)?.strip_prefix('/')).collect();
    let folder_of = |path: &str| path.split('/').next().unwrap_or(path).trim_end_matches(".rs").to_string();
    let folders: BTreeSet<String> = inside.iter().filter(|p| **p != ROOT).map(|p| folder_of(p)).collect();
    for path in inside.iter().filter(|p| p.ends_with(".rs") && **p != ROOT) {
        let own = folder_of(path);
        let imported = found.entry(own.clone()).or_default();
        let text = read(root, &format!("{CRATE}/{path}"))?;
        for (number, line) in text.lines().enumerate().filter(|(_, line)| !line.trim_start().starts_with("//")) {
            let place = || format!("{CRATE}/{path}:{}", number + 1);
            for name in line.match_indices("crate::").flat_map(|(at, found)| heads(&line[at + found.len()..])) {
                if folders.contains(name) && name != own {
                    imported.entry(name.to_string()).or_insert_with(place);
                }
            }
        }
    }
    Ok(found)
}

/// The first names of a path, or of a list of paths in braces.
fn heads(path: &str) -> Vec<&str> {
    let name = |p: &'_ str| p.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(p.len());
    match path.strip_prefix('{') {
        None => vec![&path[..name(path)]],
        Some(list) => list.split(',').map(str::trim_start).map(|p| &p[..name(p)]).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TABLE: &str = "| folder of `passes` | job | imports |\n| --- | --- | --- |\n| `ground` | x | - |\n| `above` | x | `ground` |\n";

    fn tree(name: &str, table: &str, ground: &str, above: &str) -> Result<(), String> {
        let root = std::env::temp_dir().join(format!("caustic-folders-{name}-{}", std::process::id()));
        let write = |path: &str, text: &str| {
            let path = root.join(path);
            path.parent().map_or(Ok(()), std::fs::create_dir_all).and_then(|()| std::fs::write(path, text))
        };
        let written = [
            write("docs/architecture.md", table),
            write("passes/src/ground/mod.rs", ground),
            write("passes/src/above.rs", above),
        ];
        let result =
            written.into_iter().collect::<Result<(), _>>().map_err(|e| e.to_string()).and_then(|()| rule(&root));
        let _ = std::fs::remove_dir_all(&root);
        result
    }

    #[test]
    fn arrows_of_the_table_hold() {
        assert_eq!(tree("right", TABLE, "//! x", "use crate::ground::x;"), Ok(()));
    }

    #[test]
    fn arrows_that_are_missing_or_too_many_or_run_back_are_found() {
        assert!(
            tree("back", TABLE, "use crate::{above, ground};", "use crate::ground;")
                .is_err_and(|e| e.contains("`ground` imports `above`"))
        );
        assert!(tree("unused", TABLE, "//! x", "// crate::ground").is_err_and(|e| e.contains("it does not")));
        let turned = TABLE.replace("| - |", "| `above` |");
        let found = tree("circle", &turned, "use crate::above;", "use crate::ground;");
        assert!(found.is_err_and(|e| e.contains("stands below it")));
    }
}
