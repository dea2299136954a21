"""Groups of constants, and builds of a crate without their rules: what the ablations of all domains have in common.

A table `DOMAIN.tsv` beside this file has one constant a line: group, file below `systems/DOMAIN/src`, constant, and the value that
switches the rule off. A dash keeps the value: without the rule the constant has no effect. A line with an equals sign instead of
a file describes the group; the word after the description is an option of its measurement.

A build without a group is made in a copy of the tracked files in `target/ablation`. No source of the checkout changes.
"""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
WORK = ROOT / "target" / "ablation"
TREE = WORK / "tree"
MOST_GROUPS = 20
# The groups that show the noise: they switch nothing off.
CONTROLS = ("none", "nudge")


class Group:
    """A rule, and the constants that belong to it: (file, name, value without the rule or None)."""

    def __init__(self, name, about, option):
        self.name, self.about, self.option, self.constants = name, about, option, []


def run(*command, text="", folder=ROOT):
    done = subprocess.run([str(part) for part in command], input=text, capture_output=True, text=True, cwd=folder,
                          env=os.environ | {"CARGO_INCREMENTAL": "1"})
    if done.returncode:
        sys.exit(f"ablation: {' '.join(map(str, command))}:\n{done.stderr}")
    return done.stdout


def without(text, name, value):
    """A source with another value of one constant, which must stand there once."""
    pattern = re.compile(rf"(\bconst {name}: [^=]+ = )(.*?)(;\n)", re.DOTALL)
    if len(pattern.findall(text)) != 1:
        raise ValueError(f"`const {name}` does not stand there once")
    return text if value is None else pattern.sub(lambda found: found[1] + value + found[3], text)


class Ablation:
    """The groups of one domain, and the builds of its crate."""

    def __init__(self, domain, opt_level):
        self.domain, self.opt_level = domain, opt_level
        self.sources = Path("systems") / domain / "src"
        self.groups = self.read_groups()

    def read_groups(self):
        groups = {}
        for line in (Path(__file__).parent / f"{self.domain}.tsv").read_text(encoding="utf-8").splitlines():
            if line.startswith("#"):
                continue
            name, file, *rest = line.split("\t")
            if file == "=":
                groups[name] = Group(name, rest[0], rest[1] if len(rest) > 1 else None)
            else:
                constant, value = rest
                groups[name].constants.append((file, constant, None if value == "-" else value))
        if len(groups.keys() - set(CONTROLS)) > MOST_GROUPS:
            sys.exit(f"ablation: more than {MOST_GROUPS} groups")
        return groups

    def chosen(self, parser, names):
        """The named groups, or all of them."""
        for name in names:
            if name not in self.groups:
                parser.error(f"no group `{name}`; the groups are {', '.join(self.groups)}")
        return [self.groups[name] for name in names or self.groups]

    def copy_tree(self):
        """Copies the tracked files, and keeps the times of those that have not changed, so that little is built again."""
        listed = run("git", "ls-files", "-z", "--cached", "--others", "--exclude-standard").split("\0")
        wanted = {Path(name) for name in listed if name}
        for name in wanted:
            source, target = ROOT / name, TREE / name
            if source.is_file() and not (target.is_file() and target.read_bytes() == source.read_bytes()):
                target.parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(source, target)
        for path in [path for path in TREE.rglob("*") if path.is_file() and path.relative_to(TREE) not in wanted]:
            path.unlink()

    def build(self, group=None):
        """Builds the crate without the rules of a group, and returns the program under its own name."""
        self.copy_tree()
        texts = {}
        for file, name, value in group.constants if group else []:
            path = self.sources / file
            text = texts.get(path) or (ROOT / path).read_text(encoding="utf-8")
            try:
                texts[path] = without(text, name, value)
            except ValueError as error:
                sys.exit(f"ablation: {group.name}: {path}: {error}")
        for path, text in texts.items():
            if text != (ROOT / path).read_text(encoding="utf-8"):
                (TREE / path).write_text(text, encoding="utf-8")
        crate = f"tengen-{self.domain}"
        # Only the changed modules of one crate are compiled again. The optimisation does not change the results.
        fast = ["profile.release.incremental=true", f"profile.release.package.{crate}.opt-level={self.opt_level}",
                f"profile.release.package.{crate}.codegen-units=64"]
        options = [word for setting in fast for word in ("--config", setting)]
        run("cargo", "build", "--release", "--quiet", "--locked", "-p", crate, "--example", "ablation", *options,
            "--target-dir", WORK / "build", folder=TREE)
        program = WORK / f"{self.domain}-{group.name if group else 'unchanged'}"
        shutil.copy2(WORK / "build/release/examples/ablation", program)
        self.copy_tree()
        return program
