//! A folder in which values are kept from run to run, each in a file of its own that is named by its address.
//!
//! A file is written under another name and then renamed, so that nobody sees half of one: not another process, and not the
//! next one after a crash. No file is changed once it is there, and no lock is held: a database in one file, as `redb` is, would make
//! processes wait for one another, and one damaged page could take everything with it. That is what a git repository does with its objects.
//!
//! A file ends with the hash of all before it, its address included. What does not fit is as if it was not there, and is replaced when
//! the value is found again. Runs go on without what can't be read or written.
#![allow(clippy::disallowed_methods)] // Reading and writing the cache happens here alone.

use crate::failure::Failure;
use analysis::Store;
use base::Diagnostic;
use base::bytes::{Digest, Writer};
use outcome::Statistics;
use std::collections::BTreeSet;
use std::fs::{self, OpenOptions};
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, UNIX_EPOCH};

/// How a file begins; the number is that of the format.
const MAGIC: &[u8] = b"hone cache 1\n";
/// Length of an address, and of the hash at the end.
const HASH: usize = 32;
/// Largest value.
const MAX_BYTES: usize = 64 << 20;
/// A file that was not renamed for so long never will be.
const STALE: Duration = Duration::from_secs(3600);
/// Files that are being written.
const UNFINISHED: &str = "unfinished";

/// A cache.
#[derive(Debug)]
pub(crate) struct Cache {
    folder: PathBuf,
    rejected: Mutex<BTreeSet<Digest>>,
    counts: [AtomicU64; 4],
    serial: AtomicU64,
}

/// What is counted.
#[derive(Clone, Copy)]
enum Count {
    Read,
    Used,
    Written,
    Rejected,
}

impl Cache {
    /// Opens the cache in a folder, which is made if there is none.
    ///
    /// # Errors
    /// If it is no folder, or nothing can be written there.
    pub fn open(folder: &Path) -> Result<Self, Failure> {
        let name = folder.display();
        let fail = |message: String, help: &str| Failure::new(Diagnostic::error("E0034", None, message).help(help));
        if folder.exists() && !folder.is_dir() {
            let message = format!("{name}: the cache is no folder");
            return Err(fail(message, "give `--cache` a folder; it is made if there is none"));
        }
        let unusable = |error: std::io::Error| {
            let what = match error.kind() {
                ErrorKind::PermissionDenied => "permission denied".to_owned(),
                ErrorKind::NotADirectory => "a part of the path is no folder".to_owned(),
                ErrorKind::ReadOnlyFilesystem => "the file system is read-only".to_owned(),
                _ => error.to_string(),
            };
            let message = format!("{name}: the cache can't be written: {what}");
            fail(message, "choose a folder that you may write to, or leave out `--cache`")
        };
        let unfinished = folder.join(UNFINISHED);
        fs::create_dir_all(&unfinished).map_err(unusable)?;
        let this = Self {
            folder: folder.to_owned(),
            rejected: Mutex::default(),
            counts: Default::default(),
            serial: AtomicU64::new(0),
        };
        let probe = this.temporary();
        fs::write(&probe, b"").map_err(unusable)?;
        // Others clean up as well.
        let _ = fs::remove_file(&probe);
        let tag = folder.join("CACHEDIR.TAG");
        if !tag.exists() {
            let text =
                "Signature: 8a477f597d28d172789f06886806bc55\n# A cache of hone, which may be deleted at any time.\n";
            fs::write(tag, text).map_err(unusable)?;
        }
        remove_stale(&unfinished);
        Ok(this)
    }

    /// Stands for this build of Hone: what another one has written means something else.
    pub fn build(&self) -> Digest {
        let mut w = Writer::default();
        w.text(env!("CARGO_PKG_VERSION"));
        let meta = std::env::current_exe().and_then(fs::metadata).ok();
        let changed = meta.as_ref().and_then(|meta| meta.modified().ok()?.duration_since(UNIX_EPOCH).ok());
        w.number(meta.map_or(0, |meta| meta.len()));
        w.number(changed.map_or(0, |time| time.as_nanos()));
        w.address()
    }

    /// Appends what was counted.
    pub fn add_statistics(&self, stats: &mut Statistics) {
        let names = [
            (Count::Read, "cache.read"),
            (Count::Used, "cache.used"),
            (Count::Written, "cache.written"),
            (Count::Rejected, "cache.rejected"),
        ];
        for (count, name) in names {
            stats.count(name, self.counts[count as usize].load(Ordering::Relaxed));
        }
    }

    fn count(&self, count: Count) {
        self.counts[count as usize].fetch_add(1, Ordering::Relaxed);
    }

    fn file(&self, address: &Digest) -> PathBuf {
        let name = address.hex();
        self.folder.join(&name[..2]).join(&name[2..])
    }

    fn temporary(&self) -> PathBuf {
        let serial = self.serial.fetch_add(1, Ordering::Relaxed);
        self.folder.join(UNFINISHED).join(format!("{}-{serial}", std::process::id()))
    }

    fn write(&self, address: &Digest, value: &[u8]) -> std::io::Result<()> {
        let temporary = self.temporary();
        let mut file = OpenOptions::new().write(true).create(true).truncate(true).open(&temporary)?;
        let written = file.write_all(&wrapped(address, value)).and_then(|()| {
            let file = self.file(address);
            fs::create_dir_all(file.parent().unwrap_or(&self.folder))?;
            fs::rename(&temporary, file)
        });
        if written.is_err() {
            let _ = fs::remove_file(&temporary);
        }
        written
    }
}

impl Store for Cache {
    fn get(&self, address: &Digest) -> Option<Vec<u8>> {
        let bytes = fs::read(self.file(address)).ok()?;
        match unwrapped(address, bytes) {
            Some(value) => {
                self.count(Count::Read);
                Some(value)
            }
            None => {
                self.reject(address);
                None
            }
        }
    }

    fn put(&self, address: &Digest, value: &[u8]) {
        if value.len() > MAX_BYTES {
            return;
        }
        let known = fs::read(self.file(address)).ok().and_then(|bytes| unwrapped(address, bytes));
        if known.as_deref() != Some(value) && self.write(address, value).is_ok() {
            self.count(Count::Written);
        }
    }

    fn used(&self, _: &Digest) {
        self.count(Count::Used);
    }

    fn reject(&self, address: &Digest) {
        let is_new = self.rejected.lock().is_ok_and(|mut rejected| rejected.insert(*address));
        if is_new {
            self.count(Count::Rejected);
        }
    }
}

/// The content of a file.
fn wrapped(address: &Digest, value: &[u8]) -> Vec<u8> {
    let mut w = Writer { bytes: Vec::with_capacity(MAGIC.len() + value.len() + 2 * HASH) };
    w.bytes.extend_from_slice(MAGIC);
    w.digest(address);
    w.bytes.extend_from_slice(value);
    let hash = w.address();
    w.digest(&hash);
    w.bytes
}

/// The value in a file; `None` if it is damaged, of another format, or belongs somewhere else.
fn unwrapped(address: &Digest, mut bytes: Vec<u8>) -> Option<Vec<u8>> {
    let end = bytes.len().checked_sub(HASH)?;
    let (content, hash) = bytes.split_at(end);
    let begin = MAGIC.len() + HASH;
    let is_whole =
        content.starts_with(MAGIC) && content.get(MAGIC.len()..begin)? == address.0 && Digest::of(content).0 == *hash;
    if !is_whole {
        return None;
    }
    bytes.truncate(end);
    bytes.drain(..begin);
    Some(bytes)
}

/// Removes what processes that were killed have left.
fn remove_stale(folder: &Path) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    for entry in entries.flatten() {
        let age = entry.metadata().ok().and_then(|meta| meta.modified().ok()?.elapsed().ok());
        if age.is_some_and(|age| age > STALE) {
            let _ = fs::remove_file(entry.path());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cache() -> (tempfile::TempDir, Cache) {
        let folder = tempfile::tempdir().expect("a folder");
        let cache = Cache::open(&folder.path().join("new/cache")).expect("a cache");
        (folder, cache)
    }

    fn count(cache: &Cache, count: Count) -> u64 {
        cache.counts[count as usize].load(Ordering::Relaxed)
    }

    #[test]
    fn values_come_back() {
        let (_folder, cache) = cache();
        let address = Digest::of(b"one");
        assert_eq!(cache.get(&address), None);
        for value in [&b"value"[..], b"value", b"", b"other"] {
            cache.put(&address, value);
            assert_eq!(cache.get(&address).as_deref(), Some(value));
        }
        assert_eq!((count(&cache, Count::Written), count(&cache, Count::Read)), (3, 4));
        assert!(fs::read_dir(cache.folder.join(UNFINISHED)).expect("a folder").next().is_none());
    }

    #[test]
    fn damage_is_noticed_and_repaired() {
        let (_folder, cache) = cache();
        let address = Digest::of(b"one");
        cache.put(&address, b"a value");
        let file = cache.file(&address);
        let whole = fs::read(&file).expect("a file");
        let cut = (0..whole.len()).map(|len| whole[..len].to_vec());
        let flipped = (0..whole.len() * 8).map(|bit| {
            let mut bytes = whole.clone();
            bytes[bit / 8] ^= 1 << (bit % 8);
            bytes
        });
        let longer = [[&whole[..], b"x"].concat(), b"no file of hone".to_vec()];
        // What belongs to another address, and what another format wrote.
        let foreign = [wrapped(&Digest::of(b"two"), b"a value")];
        for bytes in cut.chain(flipped).chain(longer).chain(foreign) {
            fs::write(&file, bytes).expect("written");
            assert_eq!(cache.get(&address), None);
        }
        assert_eq!(count(&cache, Count::Rejected), 1);
        cache.put(&address, b"a value");
        assert_eq!(cache.get(&address).as_deref(), Some(&b"a value"[..]));
    }

    #[test]
    fn a_folder_in_the_way_is_no_value() {
        let (_folder, cache) = cache();
        let address = Digest::of(b"one");
        fs::create_dir_all(cache.file(&address)).expect("a folder");
        cache.put(&address, b"value");
        assert_eq!(cache.get(&address), None);
        assert_eq!(count(&cache, Count::Written), 0);
    }

    #[test]
    fn folders_that_can_not_be_used() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("file");
        fs::write(&file, b"text").expect("written");
        for (path, expected) in
            [(file.clone(), "the cache is no folder"), (file.join("below"), "the cache can't be written")]
        {
            let failure = Cache::open(&path).expect_err("no cache");
            assert!(failure.diagnostics[0].message.contains(expected), "{:?}", failure.diagnostics);
            assert!(failure.diagnostics[0].help.is_some());
        }
    }

    #[test]
    fn what_killed_writers_left_is_removed_later() {
        let (_folder, cache) = cache();
        let left = cache.temporary();
        fs::write(&left, b"half").expect("written");
        let _again = Cache::open(&cache.folder).expect("a cache");
        assert!(left.exists());
        let old = std::time::SystemTime::now() - 2 * STALE;
        let file = OpenOptions::new().write(true).open(&left).expect("a file");
        file.set_modified(old).expect("a time");
        let _again = Cache::open(&cache.folder).expect("a cache");
        assert!(!left.exists());
    }
}
