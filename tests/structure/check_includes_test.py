"""The structure check must fail where it should. Each test writes a small tree with one fault, or with none."""

import tempfile
import unittest
from pathlib import Path

from check_includes import check

SOUND = {
    "src/CMakeLists.txt": "\n".join(f"add_subdirectory({name})" for name in ("core", "maths", "sift", "match")),
    "src/core/CMakeLists.txt": "octavo_library(core HEADERS error.h image.h SOURCES error.cc)",
    "src/maths/CMakeLists.txt": "octavo_library(maths)",
    "src/sift/CMakeLists.txt": "octavo_library(sift HEADERS extractor.h SOURCES sift.cc "
    "DEPENDS octavo::core octavo::maths)",
    "src/match/CMakeLists.txt": "octavo_library(match HEADERS matcher.h SOURCES match.cc DEPENDS octavo::core)\n"
    "octavo_test(match_test SOURCES match_test.cc DEPENDS octavo::match octavo::sift)",
    "cli/CMakeLists.txt": "target_link_libraries(octavo_cli PRIVATE octavo::sift)",
    "tests/conformance/CMakeLists.txt": "octavo_test(sift_conformance SOURCES sift.cc DEPENDS octavo::sift)",
    "include/octavo/error.h": "#include <string>\n",
    "include/octavo/extractor.h": '#include "octavo/error.h"\n',
    "src/core/error.cc": '#include "octavo/error.h"\n',
    "src/maths/atan2.h": '#include "maths/portability.h"\n',
    "src/maths/portability.h": "",
    "src/sift/sift.cc": '#include "sift/descriptor.h"\n#include "octavo/extractor.h"\n#include "maths/atan2.h"\n',
    "src/sift/descriptor.h": "#include <hwy/highway.h>\n",
    "src/sift/descriptor_cpu.h": "",
    "src/sift/descriptor_reference.h": "",
    "src/match/match.cc": '#include "octavo/error.h"\n',
    "src/match/match_test.cc": '#include "sift/descriptor.h"\n',
    "cli/main.cc": '#include "octavo/extractor.h"\n',
    "cli/parse.cc": "#include <CLI/CLI.hpp>\n",
    "tests/conformance/sift.cc": '#include "sift/descriptor_cpu.h"\n#include "sift/descriptor_reference.h"\n',
}


class CheckIncludes(unittest.TestCase):
    def offences(self, changes):
        """The faults that the check finds in the sound tree with some files replaced or added."""
        files = SOUND | changes
        with tempfile.TemporaryDirectory() as root:
            for name, text in files.items():
                path = Path(root) / name
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text)
            return check(root)

    def assert_one_offence(self, pattern, changes):
        offences = self.offences(changes)
        self.assertEqual(len(offences), 1, offences)
        self.assertRegex(offences[0], pattern)

    def test_sound_tree(self):
        self.assertEqual(self.offences({}), [])

    def test_up(self):
        self.assert_one_offence("points up, from core to sift", {"src/core/error.cc": '#include "sift/descriptor.h"\n'})

    def test_another_dispatch(self):
        for text in (
            "HWY_DYNAMIC_DISPATCH(f)(x);",
            'if (__builtin_cpu_supports("avx2")) f(x);',
            '__attribute__((target("avx2"))) void f();',
            '[[gnu::target_clones("avx2", "default")]] void f();',
        ):
            self.assert_one_offence("chooses the instruction set", {"src/sift/sift.cc": text})

    def test_up_through_a_public_header(self):
        self.assert_one_offence(
            "points up, from core to sift", {"src/core/error.cc": '#include "octavo/extractor.h"\n'}
        )

    def test_up_from_a_public_header(self):
        self.assert_one_offence(
            "points up, from core to match",
            {"include/octavo/image.h": '#include "octavo/matcher.h"\n', "include/octavo/matcher.h": ""},
        )

    def test_maths_includes_only_itself(self):
        self.assert_one_offence(
            "maths includes only itself", {"src/maths/portability.h": '#include "octavo/error.h"\n'}
        )

    def test_beside_without_a_link(self):
        self.assert_one_offence("does not link octavo::sift", {"src/match/match.cc": '#include "sift/descriptor.h"\n'})

    def test_sideways_between_devices(self):
        self.assert_one_offence(
            "sideways, from the device cpu to reference",
            {"src/sift/descriptor_cpu.h": '#include "sift/descriptor_reference.h"\n'},
        )

    def test_cycle(self):
        self.assert_one_offence("^cycle: .*atan2", {"src/maths/portability.h": '#include "maths/atan2.h"\n'})

    def test_vendor_header_in_public(self):
        self.assert_one_offence("standard library and public", {"include/octavo/error.h": "#include <hwy/base.h>\n"})

    def test_header_for_programs_own_library(self):
        self.assert_one_offence(
            "only programs include",
            {
                "src/match/CMakeLists.txt": SOUND["src/match/CMakeLists.txt"].replace(
                    "matcher.h", "matcher.h opencv.h"
                ),
                "include/octavo/opencv.h": "#include <opencv2/core.hpp>\n",
                "src/match/match.cc": '#include "octavo/opencv.h"\n',
            },
        )

    def test_private_header_in_public(self):
        self.assert_one_offence("public headers only", {"include/octavo/extractor.h": '#include "sift/descriptor.h"\n'})

    def test_command_line_past_the_public_headers(self):
        self.assert_one_offence(
            "public headers and src/json/json.h only", {"cli/main.cc": '#include "sift/descriptor.h"\n'}
        )

    def with_json(self, cli_links, others):
        return {
            "src/CMakeLists.txt": SOUND["src/CMakeLists.txt"] + "\nadd_subdirectory(json)",
            "src/json/CMakeLists.txt": "octavo_library(json SOURCES json.cc)",
            "src/json/json.h": "",
            "src/json/json.cc": "#include <nlohmann/json.hpp>\n",
            "cli/CMakeLists.txt": f"target_link_libraries(octavo_cli PRIVATE {cli_links})",
            "cli/main.cc": '#include "json/json.h"\n',
        } | others

    def test_command_line_with_json(self):
        self.assertEqual(self.offences(self.with_json("octavo::json", {})), [])
        self.assert_one_offence("does not link octavo::json", self.with_json("octavo::sift", {}))

    def test_library_for_json_beside_its_file(self):
        include = "#include <nlohmann/json.hpp>\n"
        for file in ("cli/list.cc", "src/json/json.h", "src/json/json_test.cc", "src/match/match.cc"):
            self.assert_one_offence("only src/json/json.cc includes", self.with_json("octavo::json", {file: include}))
        self.assertEqual(self.offences(self.with_json("octavo::json", {"bench/gpu/rates.cc": include})), [])

    def test_library_on_command_line(self):
        self.assert_one_offence("from outside", {"src/sift/descriptor.h": '#include "cli/help.h"\n', "cli/help.h": ""})

    def test_second_file_that_includes_the_parser_library(self):
        for include in ("<CLI/App.hpp>", '"CLI/CLI.hpp"'):
            self.assert_one_offence("only cli/parse.cc includes it", {"cli/main.cc": f"#include {include}\n"})

    def test_test_without_a_link(self):
        self.assert_one_offence(
            "does not link octavo::match",
            {"tests/conformance/sift.cc": '#include "match/nearest.h"\n', "src/match/nearest.h": ""},
        )

    def test_climbing(self):
        self.assert_one_offence("climbs", {"src/sift/descriptor.h": '#include "../core/a.h"\n', "src/core/a.h": ""})

    def test_missing(self):
        self.assert_one_offence("no such file", {"src/sift/descriptor.h": '#include "sift/gone.h"\n'})

    def test_public_header_without_a_home(self):
        self.assert_one_offence("names it among its HEADERS", {"include/octavo/novelty.h": ""})

    def test_folder_that_is_not_built(self):
        self.assert_one_offence("not in src/CMakeLists", {"src/attic/old.cc": ""})


if __name__ == "__main__":
    unittest.main()
