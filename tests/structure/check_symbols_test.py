"""Tests of check_symbols.py."""

import unittest
from pathlib import Path

from check_symbols import given_in, younger_of

# As objdump -T prints symbols that a binary needs, and one that it gives.
TABLE = """
0000000000000000      DF *UND*\t0000000000000000 (GLIBC_2.2.5) cos
0000000000000000      DF *UND*\t0000000000000000 (GLIBC_2.34) pthread_create
0000000000000000      DF *UND*\t0000000000000000 (GLIBC_2.35) hypotf
0000000000000000      DF *UND*\t0000000000000000 (GLIBCXX_3.4.30) _ZNSt18condition_variable4waitE
0000000000000000      DF *UND*\t0000000000000000 (CXXABI_1.3.13) _ZTV
0000000000001000 g    DF .text\t0000000000000010  GLIBC_2.36 own
"""


class Symbols(unittest.TestCase):
    def test_younger_ones_are_named_with_their_versions(self):
        found = younger_of(TABLE, given=set())
        self.assertEqual(found, ["hypotf of GLIBC_2.35", "_ZNSt18condition_variable4waitE of GLIBCXX_3.4.30"])

    def test_a_symbol_whose_older_version_is_given_is_allowed(self):
        self.assertEqual(younger_of(TABLE, given={"hypotf", "_ZNSt18condition_variable4waitE"}), [])

    def test_those_that_the_wheel_gives_are_read_from_its_sources(self):
        given = given_in(Path(__file__).resolve().parents[2])
        self.assertLessEqual({"hypot", "hypotf"}, given)
        self.assertTrue(any("condition_variable" in name for name in given))


if __name__ == "__main__":
    unittest.main()
