"""The sums of build_time.py, of small builds that are written as CMake, Ninja, clang and cpu_seconds.sh write them."""

import json
import subprocess
import tempfile
import unittest
from pathlib import Path

from build_time import Build, header_costs, report, room_of

LIBRARY = "src/engine/sift/CMakeFiles/octavo_sift.dir/sift.cc.o"
TEST = "src/engine/sift/CMakeFiles/sift_test.dir/sift_test.cc.o"
PRECOMPILED = "CMakeFiles/octavo_precompiled_library.dir/cmake_pch.hxx.gch"
LOG = f"""# ninja log v5
0\t9000\t0\t{LIBRARY}\tdead
0\t2500\t0\t{LIBRARY}\tbeef
500\t4500\t0\t{TEST}\tcafe
4500\t5500\t0\tbin/sift_test\tf00d
4500\t5500\t0\tsift_test_tests.cmake\tf00d
0\t700\t0\t{PRECOMPILED}\tb0b0
0\t8000\t0\tgone.o\tabba
"""


def source(header, start, end):
    return {"ph": "X", "name": "Source", "ts": start, "dur": end - start, "args": {"detail": header}}


def trace(*events):
    """A trace of a compilation of 20 seconds, with events in the order in which clang writes them: by their end."""
    total = {"ph": "X", "name": "ExecuteCompiler", "ts": 0, "dur": 20_000_000}
    return json.dumps({"traceEvents": [*sorted(events, key=lambda one: one["ts"] + one["dur"]), total]})


class BuildTime(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = Path(folder.name).resolve()
        sources = {LIBRARY: "src/engine/sift/sift.cc", TEST: "src/engine/sift/sift_test.cc"}
        sources[PRECOMPILED] = f"build/{PRECOMPILED}".replace(".gch", ".cxx")
        commands = [
            {"command": f"c++ -O3 -o {output} -c x.cc", "file": str(self.root / file)}
            for output, file in sources.items()
        ]
        self.write("CMakeCache.txt", f"CMAKE_HOME_DIRECTORY:INTERNAL={self.root}\n")
        self.write("compile_commands.json", json.dumps(commands))
        self.write(".ninja_log", LOG)
        for output in (LIBRARY, TEST, PRECOMPILED, "bin/sift_test", "sift_test_tests.cmake"):
            self.write(output, "")

    def write(self, name, text):
        path = self.root / "build" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    def seconds(self):
        return {step.file: step.seconds for step in Build(self.root / "build").steps()[0]}

    def test_log_counts_each_command_once_and_its_last_time(self):
        self.assertEqual(
            self.seconds(),
            {
                "src/engine/sift/sift.cc": 2.5,
                "src/engine/sift/sift_test.cc": 4.0,
                "bin/sift_test": 1.0,
                "precompiled headers/octavo_precompiled_library": 0.7,
            },
        )

    def test_cpu_seconds_come_before_the_log(self):
        self.write(f"{LIBRARY}.seconds", "1.250 0.250\n")
        self.assertEqual(self.seconds(), {"src/engine/sift/sift.cc": 1.5})

    def test_report(self):
        self.write(LIBRARY.replace(".o", ".json"), trace(source(f"{self.root}/src/engine/sift/sift.h", 0, 16_000_000)))
        lines = report(Build(self.root / "build"), 2).splitlines()
        self.assertEqual(lines[0], "8.2 s in 4 steps: wall seconds of each step, while others ran beside it")
        self.assertIn("      6.5      4.0        2  src/engine/sift", lines)
        self.assertIn("      4.0  src/engine/sift/sift_test.cc", lines)
        self.assertIn("           and 2 more", lines)
        self.assertIn("      2.0      2.0        1  src/engine/sift/sift.h", lines)

    def test_rooms(self):
        rooms = {
            "src/engine/sift/x.cc": "src/engine/sift",
            "tests/fuzz/x.cc": "tests/fuzz",
            "cli/align/x.cc": "cli",
            "x": ".",
        }
        self.assertEqual({file: room_of(file) for file in rooms}, rooms)

    def test_headers(self):
        inner = source("b.h", 1_000_000, 5_000_000), source("c.h", 2_000_000, 3_000_000)
        one = trace(source("a.h", 0, 10_000_000), *inner)
        other = trace(source("b.h", 0, 1_000_000), source("c.h", 1_000_000, 3_000_000))
        costs = header_costs([(one, 20), (other, 20)], str)
        self.assertEqual(
            {name: (cost.total, cost.own, cost.files) for name, cost in costs.items()},
            {"a.h": (10, 6, 1), "b.h": (5, 4, 2), "c.h": (3, 3, 2)},
        )

    def test_header_inside_itself_is_counted_once(self):
        costs = header_costs([(trace(source("a.h", 0, 4_000_000), source("a.h", 1_000_000, 3_000_000)), 20)], str)
        self.assertEqual((costs["a.h"].total, costs["a.h"].own, costs["a.h"].files), (4, 4, 1))

    def test_headers_have_a_share_of_the_seconds_of_the_file(self):
        costs = header_costs([(trace(source("a.h", 0, 10_000_000)), 3)], str)
        self.assertEqual(costs["a.h"].total, 1.5)

    def test_names_of_system_headers(self):
        name = Build(self.root / "build").name
        gcc = "/usr/bin/../lib/gcc/x86_64-linux-gnu/12/../../../../include"
        self.assertEqual(name(f"{gcc}/c++/12/vector"), "vector")
        self.assertEqual(name(f"{gcc}/x86_64-linux-gnu/c++/12/bits/os_defines.h"), "bits/os_defines.h")
        self.assertEqual(name("/usr/include/tbb/../oneapi/tbb/task.h"), "oneapi/tbb/task.h")
        self.assertEqual(name("/usr/include/hwy/highway.h"), "hwy/highway.h")


class CpuSeconds(unittest.TestCase):
    def test_launcher_runs_the_compiler_and_keeps_its_status_and_errors(self):
        launcher = Path(__file__).with_name("cpu_seconds.sh")
        with tempfile.TemporaryDirectory() as folder:
            output = Path(folder) / "x.o"
            command = [launcher, "sh", "-c", "echo wrong >&2; exit 3", "-o", output]
            done = subprocess.run(command, capture_output=True, text=True)
            self.assertEqual((done.returncode, done.stderr), (3, "wrong\n"))
            self.assertRegex(Path(f"{output}.seconds").read_text(), r"^\d+\.\d{3} \d+\.\d{3}\n$")


if __name__ == "__main__":
    unittest.main()
