//! Compiles the guest to a core module, with whichever toolchain can.

use std::error::Error;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;

const TARGET: &str = "wasm32-unknown-unknown";

const MISSING: &str = "\
no toolchain here can build for wasm32-unknown-unknown. Install one of:
  rustup target add wasm32-unknown-unknown
or, on Debian and its relatives:
  apt-get install --no-install-recommends rustc-web cargo-web rust-web-src lld-19";

/// A core module and how it was made.
pub(crate) struct Built {
    pub(crate) wasm: Vec<u8>,
    /// First line of `rustc --version`.
    pub(crate) toolchain: String,
    /// The command as one would type it in the workspace.
    pub(crate) command: String,
}

/// Builds the guest crate.
pub(crate) fn guest(root: &Path) -> Result<Built, Box<dyn Error>> {
    let toolchain = Toolchain::find().ok_or(MISSING)?;
    let mut cargo = toolchain.cargo();
    let target_dir = root.join("guest/target");
    cargo
        .current_dir(root)
        .args([
            "build",
            "--locked",
            "--profile",
            "guest",
            "-p",
            "holm-guest",
        ])
        .args(["--target", TARGET])
        .args(toolchain.flags())
        .arg("--target-dir")
        .arg(&target_dir)
        .env("CARGO_ENCODED_RUSTFLAGS", toolchain.remapped(root)?);
    let command = format!(
        "cargo build --profile guest -p holm-guest --target {TARGET} {}",
        toolchain.flags().join(" ")
    );
    let status = cargo.status()?;
    if !status.success() {
        return Err(format!("`{}` failed", command.trim_end()).into());
    }
    let path = target_dir.join(TARGET).join("guest/holm_guest.wasm");
    Ok(Built {
        wasm: std::fs::read(&path).map_err(|e| format!("{}: {e}", path.display()))?,
        toolchain: toolchain.version()?,
        command: command.trim_end().to_string(),
    })
}

enum Toolchain {
    /// The target's standard library comes from rustup.
    Rustup,
    /// Debian's compiler, which builds the standard library from its source package.
    Debian { linker: PathBuf },
}

impl Toolchain {
    fn find() -> Option<Self> {
        let sysroot = output(Command::new("rustc").args(["--print", "sysroot"]));
        if sysroot.is_some_and(|sysroot| has_target(Path::new(&sysroot))) {
            return Some(Self::Rustup);
        }
        let sources = Path::new("/usr/lib/rustlib/src/rust/library/std/Cargo.toml");
        let tools = ["/usr/bin/rustc", "/usr/bin/cargo"];
        if !sources.exists() || !tools.iter().all(|tool| Path::new(tool).exists()) {
            return None;
        }
        // Any recent linker will do; the newest first.
        let names = (15..40).rev().map(|version| format!("wasm-ld-{version}"));
        let mut names = std::iter::once("wasm-ld".to_string()).chain(names);
        let linker = names.find_map(|name| {
            let path = Path::new("/usr/bin").join(name);
            path.exists().then_some(path)
        })?;
        Some(Self::Debian { linker })
    }

    fn cargo(&self) -> Command {
        match self {
            Self::Rustup => Command::new("cargo"),
            Self::Debian { linker } => {
                let mut cargo = Command::new("/usr/bin/cargo");
                cargo
                    .env("RUSTC", "/usr/bin/rustc")
                    // Building the standard library is not a stable option.
                    .env("RUSTC_BOOTSTRAP", "1")
                    .env("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER", linker)
                    // A rustup shim that started us must not choose for this one.
                    .env_remove("RUSTUP_TOOLCHAIN");
                cargo
            }
        }
    }

    fn rustc(&self) -> Command {
        Command::new(match self {
            Self::Rustup => "rustc",
            Self::Debian { .. } => "/usr/bin/rustc",
        })
    }

    fn flags(&self) -> &'static [&'static str] {
        match self {
            Self::Rustup => &[],
            // The manifest cannot name the standard library's crates: it would warn of them wherever
            // they are not built. These two are what every allocation runs through.
            Self::Debian { .. } => &[
                "-Zbuild-std=std,panic_abort",
                "--config=profile.guest.package.alloc.opt-level=3",
                "--config=profile.guest.package.dlmalloc.opt-level=3",
            ],
        }
    }

    fn version(&self) -> Result<String, Box<dyn Error>> {
        Ok(output(self.rustc().arg("--version")).ok_or("rustc has no version")?)
    }

    /// Compiler flags that keep the builder's paths out of the component.
    fn remapped(&self, root: &Path) -> Result<OsString, Box<dyn Error>> {
        let sysroot = output(self.rustc().args(["--print", "sysroot"])).ok_or("no sysroot")?;
        let home = std::env::var_os("CARGO_HOME")
            .map(PathBuf::from)
            .or_else(|| std::env::home_dir().map(|home| home.join(".cargo")))
            .ok_or("no home directory")?;
        let mut flags = OsString::new();
        for (from, to) in [
            (root, "/holm"),
            (&home.join("registry/src"), "/crates"),
            (&Path::new(&sysroot).join("lib/rustlib/src/rust"), "/rust"),
        ] {
            if !flags.is_empty() {
                flags.push("\u{1f}");
            }
            flags.push("--remap-path-prefix=");
            flags.push(from);
            flags.push("=");
            flags.push(to);
        }
        Ok(flags)
    }
}

fn has_target(sysroot: &Path) -> bool {
    sysroot
        .join("lib/rustlib")
        .join(TARGET)
        .join("lib")
        .exists()
}

/// Standard output of a command that succeeded, without the final newline.
fn output(command: &mut Command) -> Option<String> {
    let output = command
        .output()
        .ok()
        .filter(|output| output.status.success())?;
    let text = String::from_utf8(output.stdout).ok()?;
    Some(text.trim_end().to_string())
}
