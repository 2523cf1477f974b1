"""The structure check must fail where it should. Each test writes a small tree with one fault, or with none."""

import tempfile
import unittest
from pathlib import Path

from check_includes import check

SOUND = {
    "src/CMakeLists.txt": "octavo_wing(engine)\noctavo_wing(multiview USES engine)\noctavo_wing(video USES engine)\n",
    "src/engine/CMakeLists.txt": "\n".join(f"add_subdirectory({name})" for name in ("core", "maths", "sift", "match")),
    "src/multiview/CMakeLists.txt": "add_subdirectory(align)",
    "src/multiview/align/CMakeLists.txt": "octavo_library(align SOURCES align.cc DEPENDS octavo::sift)",
    "src/multiview/align/align.h": "",
    "src/multiview/align/align.cc": '#include "engine/sift/descriptor.h"\n#include "multiview/align/align.h"\n',
    "src/video/CMakeLists.txt": "octavo_library(video SOURCES video.cc DEPENDS octavo::core)",
    "src/video/video.cc": '#include "octavo/error.h"\n',
    "src/engine/core/CMakeLists.txt": "octavo_library(core HEADERS error.h image.h SOURCES error.cc)",
    "src/engine/maths/CMakeLists.txt": "octavo_library(maths)",
    "src/engine/sift/CMakeLists.txt": "octavo_library(sift HEADERS extractor.h SOURCES sift.cc "
    "DEPENDS octavo::core octavo::maths)",
    "src/engine/match/CMakeLists.txt": "octavo_library(match HEADERS matcher.h SOURCES match.cc DEPENDS octavo::core)\n"
    "octavo_test(match_test SOURCES match_test.cc DEPENDS octavo::match octavo::sift)",
    "cli/CMakeLists.txt": "target_link_libraries(octavo_cli PRIVATE octavo::sift)",
    "tests/conformance/CMakeLists.txt": "octavo_test(sift_conformance SOURCES sift.cc DEPENDS octavo::sift)",
    "include/octavo/error.h": "#include <string>\n",
    "include/octavo/extractor.h": '#include "octavo/error.h"\n',
    "src/engine/core/error.cc": '#include "octavo/error.h"\n',
    "src/engine/maths/atan2.h": '#include "engine/maths/portability.h"\n',
    "src/engine/maths/portability.h": "",
    "src/engine/sift/sift.cc": '#include "engine/sift/descriptor.h"\n#include "octavo/extractor.h"\n#include "engine/maths/atan2.h"\n',
    "src/engine/sift/descriptor.h": "#include <hwy/highway.h>\n",
    "src/engine/sift/descriptor_cpu.h": "",
    "src/engine/sift/descriptor_reference.h": "",
    "src/engine/match/match.cc": '#include "octavo/error.h"\n',
    "src/engine/match/match_test.cc": '#include "engine/sift/descriptor.h"\n',
    "cli/main.cc": '#include "octavo/extractor.h"\n',
    "cli/parse.cc": "#include <CLI/CLI.hpp>\n",
    "tests/conformance/sift.cc": '#include "engine/sift/descriptor_cpu.h"\n#include "engine/sift/descriptor_reference.h"\n',
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
        self.assert_one_offence(
            "does not point down, from core to sift",
            {"src/engine/core/error.cc": '#include "engine/sift/descriptor.h"\n'},
        )

    def test_another_dispatch(self):
        for text in (
            "HWY_DYNAMIC_DISPATCH(f)(x);",
            'if (__builtin_cpu_supports("avx2")) f(x);',
            '__attribute__((target("avx2"))) void f();',
            '[[gnu::target_clones("avx2", "default")]] void f();',
        ):
            self.assert_one_offence("chooses the instruction set", {"src/engine/sift/sift.cc": text})

    def test_equations_that_lapack_solves(self):
        for call in ("cv::solve(a, b, x);", "cv::invert(a, b);", "cv::gemm(a, b, 1, c, 0, d);"):
            self.assert_one_offence("Eigen", {"src/multiview/align/align.cc": call, "cli/main.cc": call})

    def test_up_through_a_public_header(self):
        self.assert_one_offence(
            "does not point down, from core to sift", {"src/engine/core/error.cc": '#include "octavo/extractor.h"\n'}
        )

    def test_up_from_a_public_header(self):
        self.assert_one_offence(
            "does not point down, from core to match",
            {"include/octavo/image.h": '#include "octavo/matcher.h"\n', "include/octavo/matcher.h": ""},
        )

    def test_maths_includes_only_itself(self):
        self.assert_one_offence(
            "maths includes only itself", {"src/engine/maths/portability.h": '#include "octavo/error.h"\n'}
        )

    def test_beside_without_a_link(self):
        self.assert_one_offence(
            "does not link octavo::sift", {"src/engine/match/match.cc": '#include "engine/sift/descriptor.h"\n'}
        )

    def test_sideways_between_devices(self):
        self.assert_one_offence(
            "sideways, from the device cpu to reference",
            {"src/engine/sift/descriptor_cpu.h": '#include "engine/sift/descriptor_reference.h"\n'},
        )

    def test_cycle(self):
        self.assert_one_offence(
            "^cycle: .*atan2", {"src/engine/maths/portability.h": '#include "engine/maths/atan2.h"\n'}
        )

    def test_vendor_header_in_public(self):
        self.assert_one_offence("standard library and public", {"include/octavo/error.h": "#include <hwy/base.h>\n"})

    def test_header_for_programs_own_library(self):
        self.assert_one_offence(
            "only programs include",
            {
                "src/engine/match/CMakeLists.txt": SOUND["src/engine/match/CMakeLists.txt"].replace(
                    "matcher.h", "matcher.h opencv.h"
                ),
                "include/octavo/opencv.h": "#include <opencv2/core.hpp>\n",
                "src/engine/match/match.cc": '#include "octavo/opencv.h"\n',
            },
        )

    def test_private_header_in_public(self):
        self.assert_one_offence(
            "public headers only", {"include/octavo/extractor.h": '#include "engine/sift/descriptor.h"\n'}
        )

    def test_between_wings(self):
        for wing in ("multiview", "engine"):
            file = {"multiview": "src/multiview/align/align.cc", "engine": "src/engine/match/match.cc"}[wing]
            self.assert_one_offence(
                "does not point down, from (align|match) to video",
                {file: '#include "video/video.h"\n', "src/video/video.h": ""},
            )
        self.assert_one_offence("from video to align", {"src/video/video.cc": '#include "multiview/align/align.h"\n'})

    def test_command_line_and_private_headers(self):
        self.assert_one_offence(
            "public headers of the engine and", {"cli/main.cc": '#include "engine/sift/descriptor.h"\n'}
        )
        links = {"cli/CMakeLists.txt": "target_link_libraries(octavo_cli PRIVATE octavo::multiview)"}
        include = {"cli/main.cc": '#include "multiview/align/align.h"\n'}
        self.assertEqual(self.offences(links | include), [])
        self.assert_one_offence("does not link octavo::align", include)

    def with_json(self, cli_links, others):
        return {
            "src/CMakeLists.txt": SOUND["src/CMakeLists.txt"] + "\noctavo_wing(io)",
            "src/io/CMakeLists.txt": "add_subdirectory(json)",
            "src/io/json/CMakeLists.txt": "octavo_library(json SOURCES json.cc)",
            "src/io/json/json.h": "",
            "src/io/json/json.cc": "#include <nlohmann/json.hpp>\n",
            "cli/CMakeLists.txt": f"target_link_libraries(octavo_cli PRIVATE {cli_links})",
            "cli/main.cc": '#include "io/json/json.h"\n',
        } | others

    def test_command_line_with_json(self):
        self.assertEqual(self.offences(self.with_json("octavo::json", {})), [])
        self.assert_one_offence("does not link octavo::json", self.with_json("octavo::sift", {}))

    def test_library_for_json_beside_its_file(self):
        include = "#include <nlohmann/json.hpp>\n"
        for file in ("cli/list.cc", "src/io/json/json.h", "src/io/json/json_test.cc", "src/engine/match/match.cc"):
            self.assert_one_offence(
                "only src/io/json/json.cc includes", self.with_json("octavo::json", {file: include})
            )
        self.assertEqual(self.offences(self.with_json("octavo::json", {"bench/gpu/rates.cc": include})), [])

    def test_library_on_command_line(self):
        self.assert_one_offence(
            "from outside", {"src/engine/sift/descriptor.h": '#include "cli/help.h"\n', "cli/help.h": ""}
        )

    def test_second_file_that_includes_the_parser_library(self):
        for include in ("<CLI/App.hpp>", '"CLI/CLI.hpp"'):
            self.assert_one_offence("only cli/parse.cc includes it", {"cli/main.cc": f"#include {include}\n"})

    def test_test_without_a_link(self):
        self.assert_one_offence(
            "does not link octavo::match",
            {"tests/conformance/sift.cc": '#include "engine/match/nearest.h"\n', "src/engine/match/nearest.h": ""},
        )

    def test_climbing(self):
        self.assert_one_offence(
            "climbs", {"src/engine/sift/descriptor.h": '#include "../core/a.h"\n', "src/engine/core/a.h": ""}
        )

    def test_missing(self):
        self.assert_one_offence("no such file", {"src/engine/sift/descriptor.h": '#include "engine/sift/gone.h"\n'})

    def test_public_header_without_a_home(self):
        self.assert_one_offence("names it among its HEADERS", {"include/octavo/novelty.h": ""})

    def test_folder_that_is_not_built(self):
        self.assert_one_offence("in no room", {"src/engine/attic/old.cc": ""})


if __name__ == "__main__":
    unittest.main()
