//! Names of files with `*`, `?`, `[…]` and `**`.

use std::path::Path;

/// The files that a pattern stands for, in order, as seen from the folder.
pub(super) fn expanded(folder: &Path, pattern: &str) -> Vec<String> {
    if !pattern.contains(['*', '?', '[']) {
        return if folder.join(pattern).is_file() { vec![pattern.to_owned()] } else { Vec::new() };
    }
    let whole = Path::new(&glob::Pattern::escape(&folder.to_string_lossy())).join(pattern);
    let Ok(found) = glob::glob(&whole.to_string_lossy()) else { return Vec::new() };
    let own = found.flatten().filter(|path| path.is_file());
    own.map(|path| path.strip_prefix(folder).unwrap_or(&path).to_string_lossy().into_owned()).collect()
}
