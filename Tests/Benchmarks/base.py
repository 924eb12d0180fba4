"""base.py: a build of another commit, which is measured beside ours. It is made in a git worktree below .build/base and kept by its hash."""
import os
import subprocess

from frame import Build

# Where the build's output goes: to the terminal.
OUTPUT = None


def build(root, commit):
    """The programs of `commit`, built unless they have been built before; ends the program with a sentence where that cannot be."""
    whole = hash_of(root, commit)
    directory = root / ".build/base" / whole
    made = Build(f"base {whole[:8]}", directory)
    if not is_complete(made):
        print(f"== building {made.name} in {directory.relative_to(root)}, once", flush=True)
        check_out(root, whole, directory)
        make(made)
    return made


def hash_of(root, commit):
    words = ["git", "-C", root, "rev-parse", "--verify", "--quiet", "--end-of-options", f"{commit}^{{commit}}"]
    done = subprocess.run(words, capture_output=True, text=True)
    if done.returncode:
        raise SystemExit(f"BASE={commit}: no such commit in this clone: choose one that `git log` lists, or fetch it")
    return done.stdout.strip()


def is_complete(made):
    """`make build` writes the first when it is done; the second is linked last."""
    return (made.stage / "complete").exists() and made.program.exists()


def check_out(root, whole, directory):
    if (directory / "Makefile").exists():
        return
    # By force, because git still lists a worktree that `make clean` has removed.
    words = ["git", "-C", root, "worktree", "add", "--quiet", "--force", "--detach", directory, whole]
    if subprocess.run(words, stdout=OUTPUT, stderr=OUTPUT).returncode:
        raise SystemExit(f"BASE={whole}: no worktree in {directory}: remove that directory and try again")


def make(made):
    # Without the options and the variables of the make that this runs in.
    environment = {name: value for name, value in os.environ.items() if name not in ("MAKEFLAGS", "MAKELEVEL", "MFLAGS")}
    words = ["make", "-C", made.root, "build", "bench-program"]
    if subprocess.run(words, env=environment, stdout=OUTPUT, stderr=OUTPUT).returncode or not is_complete(made):
        raise SystemExit(f"{made.name}: the build failed in {made.root}: choose a commit that builds here and has `make bench-program`")
