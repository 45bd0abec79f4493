//! Whether a file can be executed, found out without executing it.

use std::io::Read;
use std::path::{Path, PathBuf};

/// How much of a file the kernel looks at to tell what it is.
const HEAD: u64 = 256;

/// The file that `program` names, there or in PATH; or why it cannot be executed.
pub(super) fn find(program: &str) -> Result<PathBuf, String> {
    if program.contains('/') {
        return check(Path::new(program));
    }
    let path = std::env::var_os("PATH").unwrap_or_default();
    let candidates = || std::env::split_paths(&path).map(|folder| folder.join(program));
    if let Some(found) = candidates().find_map(|file| check(&file).ok()) {
        return Ok(found);
    }
    // There is one after all: what is wrong with it says more.
    match candidates().find(|file| file.exists()) {
        Some(bad) => check(&bad),
        None => Err(format!("no program `{program}` in PATH")),
    }
}

fn check(path: &Path) -> Result<PathBuf, String> {
    check_permission(path)?;
    let head = head(path).map_err(|error| format!("`{}`: {error}", path.display()))?;
    match interpreter(&head) {
        Some(line) => check_interpreter(path, &line)?,
        None if is_native(&head) || is_registered(path, &head) => {}
        None => {
            return Err(format!(
                "`{}` is not a program: it has no #! line and is no binary of this system\n\
                 hint: begin it with a line such as #!/bin/sh, or name its interpreter first in the command",
                path.display()
            ));
        }
    }
    Ok(path.to_owned())
}

fn check_permission(path: &Path) -> Result<(), String> {
    use std::os::unix::fs::PermissionsExt;
    let metadata = std::fs::metadata(path).map_err(|error| format!("`{}`: {error}", path.display()))?;
    if !metadata.is_file() {
        return Err(format!("`{}` is not a file", path.display()));
    }
    if metadata.permissions().mode() & 0o111 == 0 {
        return Err(format!("`{}` is not executable\nhint: chmod +x it", path.display()));
    }
    Ok(())
}

/// Programs that can be executed and not read are rare, and no scripts: taken as they are.
fn head(path: &Path) -> std::io::Result<Vec<u8>> {
    let mut head = Vec::new();
    match std::fs::File::open(path) {
        Ok(file) => file.take(HEAD).read_to_end(&mut head).map(|_| head),
        Err(error) if error.kind() == std::io::ErrorKind::PermissionDenied => Ok(NATIVE[0].to_vec()),
        Err(error) => Err(error),
    }
}

/// What follows `#!`, as the kernel reads it: a carriage return is a part of the name.
fn interpreter(head: &[u8]) -> Option<String> {
    let line = head.strip_prefix(b"#!")?.split(|byte| *byte == b'\n').next()?;
    Some(String::from_utf8_lossy(line).trim_matches([' ', '\t']).to_owned())
}

fn check_interpreter(script: &Path, line: &str) -> Result<(), String> {
    let mut words = line.split([' ', '\t']).filter(|word| !word.is_empty());
    let name = words.next().unwrap_or_default();
    let bad = |reason: String| {
        format!("`{}` wants the interpreter `{}`: {reason}", script.display(), line.escape_debug())
    };
    check_permission(Path::new(name)).map_err(bad)?;
    match words.next() {
        // `env` finds it in PATH; its options lead too far.
        Some(wanted) if name.ends_with("/env") && !wanted.starts_with('-') && !wanted.contains('=') => {
            find(wanted).map(|_| ()).map_err(bad)
        }
        _ => Ok(()),
    }
}

#[cfg(not(target_os = "macos"))]
const NATIVE: &[&[u8]] = &[b"\x7fELF"];
/// Mach-O of 64 bits, and files for more than one architecture.
#[cfg(target_os = "macos")]
const NATIVE: &[&[u8]] = &[b"\xcf\xfa\xed\xfe", b"\xca\xfe\xba\xbe"];

fn is_native(head: &[u8]) -> bool {
    NATIVE.iter().any(|magic| head.starts_with(magic))
}

/// Linux lets an administrator register more kinds of programs (binfmt_misc).
fn is_registered(path: &Path, head: &[u8]) -> bool {
    let kinds = std::fs::read_dir("/proc/sys/fs/binfmt_misc").into_iter().flatten().flatten();
    kinds.filter_map(|kind| std::fs::read_to_string(kind.path()).ok()).any(|kind| matches(&kind, path, head))
}

fn matches(kind: &str, path: &Path, head: &[u8]) -> bool {
    let member = |name: &str| kind.lines().find_map(|line| Some(line.strip_prefix(name)?.trim()));
    if kind.lines().next() != Some("enabled") {
        return false;
    }
    if let Some(extension) = member("extension ") {
        return path.extension().is_some_and(|own| own.to_str() == extension.strip_prefix('.'));
    }
    let (Some(magic), offset) = (member("magic ").and_then(bytes), member("offset ")) else { return false };
    let mask = member("mask ").and_then(bytes).unwrap_or(vec![0xff; magic.len()]);
    let offset = offset.and_then(|offset| offset.parse().ok()).unwrap_or(0);
    let Some(there) = head.get(offset..offset + magic.len()) else { return false };
    !magic.is_empty()
        && there.iter().zip(&magic).zip(&mask).all(|((own, magic), mask)| own & mask == magic & mask)
}

fn bytes(hex: &str) -> Option<Vec<u8>> {
    let pairs = hex.as_bytes().chunks(2);
    pairs.map(|pair| u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::PermissionsExt;

    fn check_file(text: &[u8], mode: u32) -> Result<PathBuf, String> {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("consumer");
        std::fs::write(&path, text).expect("a file");
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(mode)).expect("its mode");
        check(&path)
    }

    #[test]
    fn what_the_kernel_would_refuse_is_told_with_the_reason() {
        for (text, mode, reason) in [
            (&b"#!/bin/sh\n"[..], 0o644, "is not executable"),
            (b"print('hello')\n", 0o755, "no #! line"),
            (b"", 0o755, "no #! line"),
            (b"#!/no/such/interpreter -x\n", 0o755, "/no/such/interpreter"),
            (b"#!/bin/sh\r\necho\r\n", 0o755, "/bin/sh\\r"),
            (b"#!/usr/bin/env no-such-program-anywhere\n", 0o755, "no program `no-such-program-anywhere`"),
        ] {
            let error = check_file(text, mode).unwrap_err();
            assert!(error.contains(reason), "{error}");
        }
    }

    #[test]
    fn scripts_and_binaries_are_accepted() {
        assert!(check_file(b"#! /bin/sh -e\n", 0o755).is_ok());
        assert!(check_file(b"#!/usr/bin/env sh\n", 0o755).is_ok());
        assert!(find("sh").is_ok());
        assert!(find("/etc").unwrap_err().contains("not a file"));
    }

    #[test]
    fn registered_kinds_are_known_by_extension_or_magic() {
        let jar = "enabled\ninterpreter /usr/bin/jexec\nflags: \nextension .jar\n";
        assert!(matches(jar, Path::new("a.jar"), b"PK"));
        assert!(!matches(jar, Path::new("a.py"), b"PK"));
        let magic = "enabled\ninterpreter /x\nflags: \noffset 1\nmagic 4d00\nmask ff00\n";
        assert!(matches(magic, Path::new("a"), b"-M?"));
        assert!(!matches(magic, Path::new("a"), b"M?-"));
        assert!(!matches("disabled\nextension .jar\n", Path::new("a.jar"), b""));
    }
}
