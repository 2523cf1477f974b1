"""The completion scripts load in their shells without output, and complete command lines."""

import os
import shlex
import shutil
import subprocess

import pytest


def shell(name, script, folder):
    if shutil.which(name) is None:
        pytest.skip(f"lacks {name}")
    options = {"bash": ["--norc", "--noprofile", "-u"], "zsh": ["-f"], "fish": ["--no-config"]}[name]
    done = subprocess.run([name, *options, "-c", script], cwd=folder, capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stderr) == (0, ""), done
    return done.stdout


@pytest.fixture
def script(octavo, tmp_path_factory, monkeypatch):
    programs = tmp_path_factory.mktemp("bin")
    (programs / "octavo").symlink_to(octavo.path)
    monkeypatch.setenv("PATH", f"{programs}:{os.environ['PATH']}")

    def write(name):
        (octavo.folder / "script").write_text(octavo("completion", name))
        return octavo.folder

    return write


def test_bash_loads_it_in_silence(script):
    assert (
        shell("bash", "source ./script; complete -p octavo", script("bash"))
        == "complete -o filenames -F _octavo octavo\n"
    )


@pytest.mark.parametrize("start", ["", "autoload -Uz compinit; compinit -u -D;"])
def test_zsh_loads_it_in_silence(script, start):
    output = shell("zsh", f"{start} source ./script; whence -w _octavo", script("zsh"))
    assert output == "_octavo: function\n"


@pytest.mark.parametrize(
    "line, words",
    [
        (
            "octavo ",
            "extract describe match pairs align colmap sfm export mosaic evaluate filter inspect video merge devices selftest bench completion help",
        ),
        ("octavo be", "bench"),
        ("octavo bench ", "extract filter match pyramid report"),
        ("octavo extract --ra", "--range --rank"),
        ("octavo extract --rank ", "response scale scaled-response"),
        ("octavo extract --json --rank r", "response"),
        ("octavo extract a.png --output ", "folder"),
        ("octavo extract --threads ", ""),
        ("octavo extract --json a", "a.png"),
        ("octavo extract n", "notes.PNG"),  # images and folders first
        ("octavo extract notes.t", "notes.txt"),  # any file if there is no image
        ("octavo extract --mask n", "notes.PNG"),
        ("octavo extract ", ["a.png", "b c.png", "folder", "notes.PNG"]),
        ("octavo match n", "notes.PNG notes.npz"),
        ("octavo match --image-a n", "notes.PNG"),
        ("octavo align a.png n", "notes.PNG"),
        ("octavo align a.png a.png -o n", "notes.PNG notes.npz notes.txt"),
        ("octavo extract --mask b", ["b c.png"]),
        ("octavo align a.png b", ["b c.png"]),
        ("octavo inspect --pa", "--packed"),
        ("octavo inspect a.png --output ", "folder"),
        ("octavo bench match --job ", "nearest-two match"),
        ("octavo completion ", "bash zsh fish"),
        ("octavo help bench ", "extract filter match pyramid report"),
        ("octavo help video se", "search"),
        ("octavo help extract ", ""),
        ("octavo evaluate robustness --images ", "folder"),
        ("octavo evaluate --per", "--per-sequence"),
        ("octavo evaluate f", "folder"),
        ("octavo video index --ret", "--retry"),
        ("octavo video list --index f", "folder"),
        ("octavo evaluate r", "robustness"),
        ("octavo evaluate crops --crop", "--crop-sizes"),
        ("octavo extract f", "folder"),
        ("octavo extract --device c", "cpu cuda:0 cuda:all"),
        ("octavo extract --device a", "auto"),
        ("octavo selftest --device a", "auto all"),
        # bash cuts words at = and :, and what it replaces is the last part.
        ("octavo extract --rank = ", "response scale scaled-response"),
        ("octavo extract --rank = r", "response"),
        ("octavo extract --mask = n", "notes.PNG"),
        ("octavo selftest --device cuda : a", "all"),
        ("octavo extract 'b\\ c.png\" --rank r", "response"),  # words that are not whole
        ("octavo extract -- --ra", ""),
        ("octavo extract --json --js", ""),  # it is given
        ("octavo video verdict a b ", ""),
        ("octavo devices ", ""),
        ("octavo nonsense ", ""),
        ("octavo nonsense --", ""),
        ("octavo extract --nonsense", ""),
        ("octavo extract --nonsense = ", ""),
    ],
)
def test_bash_completes(script, line, words):
    folder = script("bash")
    for name in ("a.png", "b c.png", "notes.PNG", "notes.npz", "notes.txt"):
        (folder / name).touch()
    (folder / "folder").mkdir()
    given = " ".join(shlex.quote(word) for word in line.split(" "))
    output = shell(
        "bash",
        f"source ./script; COMP_WORDS=({given}); COMP_CWORD=$((${{#COMP_WORDS[@]}} - 1)); COMPREPLY=(); "
        '_octavo; printf "%s\\n" "${COMPREPLY[@]-}"',
        folder,
    )
    expected = words if isinstance(words, list) else words.split()
    assert sorted(output.split("\n")[:-1]) == sorted(expected or [""])


def test_bash_completes_the_instruction_sets_of_the_machine(octavo, script):
    folder = script("bash")
    output = shell(
        "bash",
        f"source ./script; COMP_WORDS=('{octavo.path}' devices --isa ''); COMP_WORDS[1]=selftest; COMP_CWORD=3; "
        '_octavo; printf "%s\\n" "${COMPREPLY[@]-}"',
        folder,
    )
    assert output.split() == ["auto", *octavo("devices", "--isas").split()]


# The output that a user of zsh sees after pressing tab. The shell runs in a pseudo-terminal (zsh's module zpty).
SESSION = """
zmodload zsh/zpty || exit 3
zpty shell zsh -f -i
zpty -w shell 'PROMPT=; fpath=($PWD/functions $fpath); autoload -Uz compinit; compinit -u -D; bindkey "^I" complete-word'
zpty -w shell 'print rea''dy'
zpty -r -m shell output '*ready*ready*' || true
zpty -n -w shell "$LINE"$'\\t\\t'
zpty -r -m shell output "*$WANTED*" && print -r -- "$output"
zpty -d shell
"""


@pytest.mark.parametrize(
    "line, wanted",
    [
        ("octavo sel", "selftest"),
        ("octavo bench ", "time the matching of descriptors"),
        ("octavo extract --rank", "--rank"),
        ("octavo extract --rank r", "response"),
        ("octavo bench match --job n", "nearest-two"),
        ("octavo extract photo", "photograph.png"),
        ("octavo align photograph.png photo", "photograph.png"),  # not photograph.txt
        ("octavo extract --mask photo", "photograph.png"),
        ("octavo match photograph.t", "photograph.txt"),
        ("octavo extract imag", "images"),
        ("octavo evaluate imag", "images"),
        ("octavo evaluate robu", "robustness"),
        ("octavo extract --device ref", "reference"),
        ("octavo extract --isa port", "portable"),
        ("octavo help sel", "selftest"),
        ("octavo help bench ", "time the matching of descriptors"),
        ("octavo extract --rank=r", "--rank=response"),
        ("octavo align --mask=photo", "--mask=photograph.png"),
        ("octavo selftest --device cuda:a", "cuda:all"),
        ('octavo extract photograph\\ 1.png "photograph 2.png" --rank r', "response"),
    ],
)
def test_zsh_completes(octavo, script, line, wanted):
    functions = octavo.folder / "functions"
    functions.mkdir()
    script("zsh").joinpath("script").rename(functions / "_octavo")
    (octavo.folder / "photograph.png").touch()
    (octavo.folder / "photograph.txt").touch()
    (octavo.folder / "images").mkdir()
    session = f"LINE='{line}' WANTED='{wanted}'\n{SESSION}"
    assert wanted in shell("zsh", session, octavo.folder)


@pytest.mark.parametrize(
    "line, words",
    [
        ("octavo be", "bench"),
        ("octavo bench ", "extract filter match pyramid report"),
        ("octavo extract --ra", "--range --rank"),
        ("octavo extract --rank ", "response scale scaled-response"),
        ("octavo extract --json --rank r", "response"),
        ("octavo extract --output ", "folder/"),
        ("octavo extract --threads ", ""),
        ("octavo extract p", "photograph.png photograph.txt"),  # images first
        ("octavo align -o p", "photograph.png photograph.txt"),
        ("octavo extract --device ref", "reference"),
        ("octavo extract --isa port", "portable"),
        ("octavo completion ", "bash fish zsh"),
        ("octavo evaluate r", "robustness"),
        ("octavo help bench ", "extract filter match pyramid report"),
        ("octavo help video se", "search"),
        ("octavo extract --rank=r", "--rank=response"),
        ("octavo extract --output=f", "--output=folder/"),
        ("octavo extract --mask=photo", "--mask=photograph.png --mask=photograph.txt"),
        ("octavo align --output=photo", "--output=photograph.png --output=photograph.txt"),
        ('octavo extract a\\ b "c d" --rank r', "response"),
        ("octavo nonsense ", ""),
        ("octavo nonsense --", ""),
    ],
)
def test_fish_completes(script, line, words):
    folder = script("fish")
    for name in ("photograph.png", "photograph.txt"):
        (folder / name).touch()
    (folder / "folder").mkdir()
    output = shell("fish", f"source ./script; complete -C {shlex.quote(line)}", folder)
    offered = [row.split("\t")[0] for row in output.splitlines()]
    assert set(offered) == set(words.split())
