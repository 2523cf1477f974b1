"""Tests of check_licences.py."""

import tempfile
import unittest
import zipfile
from pathlib import Path

from check_licences import faults_of_binary, faults_of_page, held_by, is_gpl_alone, libraries_of, sought_in, stem_of

PAGE = """
| library | CMake looks for | licence | in | for |
| --- | --- | --- | --- | --- |
| `libexif` | `exif` | LGPL-2.1-or-later | `octavo` `liboctavo_apps` | EXIF data |
| `libgif` | `gif` | MIT | `octavo` | GIF; may be absent |
| `libc` | | LGPL-2.1-or-later | all | C |
"""


class CheckLicences(unittest.TestCase):
    def test_a_library_that_a_binary_needs_is_listed_for_it(self):
        libraries = libraries_of(PAGE)
        self.assertEqual(faults_of_binary(libraries, "octavo", {"libexif", "libc"}), [])
        self.assertEqual(
            faults_of_binary(libraries, "octavo", {"libexif", "libexiv2"}),
            ["docs/licences.md: lists no libexiv2 in octavo"],
        )
        self.assertEqual(
            faults_of_binary(libraries, "liboctavo_apps", {"libexif", "libgif"}),
            ["docs/licences.md: lists no libgif in liboctavo_apps"],
        )
        self.assertEqual(
            faults_of_binary(libraries, "octavo", {"libc"}), ["docs/licences.md: octavo does not need libexif"]
        )
        self.assertEqual(faults_of_binary(libraries, "wheel", {"libc"}), ["docs/licences.md: lists nothing in wheel"])

    def test_the_page_says_what_cmake_looks_for(self):
        self.assertEqual(faults_of_page(PAGE, {"exif", "gif"}, []), [])
        self.assertEqual(
            faults_of_page(PAGE, {"exif", "exiv2"}, ["numpy"]),
            [
                "docs/licences.md: lists no exiv2, which CMake looks for",
                "docs/licences.md: CMake does not look for gif",
                "docs/licences.md: names no numpy, which the Python package needs",
            ],
        )

    def test_no_library_is_under_the_gpl_alone(self):
        self.assertEqual(
            faults_of_page(PAGE.replace("MIT", "GPL-2.0-or-later"), {"exif", "gif"}, []),
            ["docs/licences.md: GPL-2.0-or-later"],
        )
        self.assertTrue(is_gpl_alone("AGPL-3.0-only"))
        self.assertFalse(is_gpl_alone("GPL-3.0-or-later WITH GCC-exception-3.1"))
        self.assertFalse(is_gpl_alone("LGPL-3.0-or-later OR GPL-2.0-or-later"))

    def test_every_way_to_look_for_a_library_is_known(self):
        cmake = (
            "find_package(TIFF 4.5 REQUIRED GLOBAL) # 4.5\n  find_path(ZIP_INCLUDE_DIR zip.h REQUIRED)\n"
            "find_library(HDF5_LIBRARY NAMES hdf5_serial hdf5 REQUIRED)\nfind_file(CHART_JS chart.min.js PATHS /usr/share)\n"
            "pkg_check_modules(LIBAV REQUIRED IMPORTED_TARGET libavformat>=59.27 libavutil)\nfind_package(GTest REQUIRED)\n"
        )
        self.assertEqual(
            sought_in(cmake), {"TIFF", "zip.h", "hdf5_serial", "hdf5", "chart.min.js", "libavformat", "libavutil"}
        )

    def test_a_wheel_holds_no_ffmpeg_under_the_gpl(self):
        with tempfile.TemporaryDirectory() as folder:
            wheel = Path(folder) / "a.whl"
            with zipfile.ZipFile(wheel, "w") as archive:
                archive.writestr("octavo/_octavo.abi3.so", b"")
                archive.writestr("octavo.libs/liboctavo_apps-0123abcd.so.0.1.0", b"")
                archive.writestr(
                    "octavo.libs/libavutil-0123abcd.so.57", b"\0libavutil license: LGPL version 2.1 or later\0"
                )
                archive.writestr(
                    "octavo.libs/libavcodec-0123abcd.so.59", b"\0libavcodec license: GPL version 2 or later\0"
                )
            self.assertEqual(
                held_by(wheel),
                (
                    {"libavutil", "libavcodec"},
                    ["octavo.libs/libavcodec-0123abcd.so.59: libavcodec license: GPL version 2 or later"],
                ),
            )

    def test_names_have_no_versions(self):
        self.assertEqual(stem_of("libtbb.so.12"), "libtbb")
        self.assertEqual(stem_of("libtbb-4d79fbbd.so.12.8"), "libtbb")
        self.assertEqual(stem_of("ld-linux-x86-64.so.2"), "ld-linux")


if __name__ == "__main__":
    unittest.main()
