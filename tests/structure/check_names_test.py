"""Tests of check_names.py."""

import tempfile
import unittest
from pathlib import Path

from check_names import common_names, common_types, names_of, types_of

SPACE = "namespace octavo {{\nnamespace {{\n\n{}\n\n}}  // namespace\n}}  // namespace octavo\n"


class CheckNames(unittest.TestCase):
    def test_functions_values_and_types_have_names(self):
        text = SPACE.format(
            "constexpr int most = 3;\n[[noreturn]] void refuse(int a) {\n  int inner = a;\n}\n"
            'struct Place {\n  int x = 0;\n};\nconst std::vector<std::string> words{"a"};\nstd::string text_of(Place p);'
        )
        self.assertEqual(names_of(text), {"most", "refuse", "Place", "words", "text_of"})

    def test_other_namespaces_are_free(self):
        self.assertEqual(
            names_of("namespace octavo {\nint shared(int a) { return a; }\n}  // namespace octavo\n"), set()
        )

    def test_overloads_of_two_files_are_found(self):
        with tempfile.TemporaryDirectory() as folder:
            for name, text in (
                ("a.cc", "int ceiling(int n, int step) { return n; }"),
                ("b.cc", "int ceiling(std::size_t n, int step) { return 0; }\nint own() { return 1; }"),
                ("b_test.cc", "int ceiling(int n) { return n; }"),
                ("c_cpu.cc", '#include "match/x_maths.h"\nint ceiling(int n) { return n; }'),
            ):
                (Path(folder) / name).write_text(SPACE.format(text))
            self.assertEqual(common_names(Path(folder)), {"ceiling": ["a.cc", "b.cc"]})

    def test_types_have_the_names_of_their_namespaces(self):
        text = (
            "namespace OCTAVO_INTERNAL_API octavo {\nnamespace inner {\nenum class Word : std::uint8_t {\n  a,\n};\n}  // namespace inner\n"
            "struct Named;\nstruct OCTAVO_API Whole final : Base {\n  struct Part {\n  };\n};\n"
            "namespace {\nclass Hidden {\n};\n}  // namespace\n}  // namespace octavo\n"
        )
        self.assertEqual(types_of(text), {"octavo::inner::Word", "octavo::Whole"})

    def test_a_type_of_two_files_is_found(self):
        with tempfile.TemporaryDirectory() as folder:
            for name, space in (
                ("include/a.h", "octavo"),
                ("src/b.h", "octavo"),
                ("src/c.h", "octavo::c"),
                ("src/d_test.cc", "octavo"),
            ):
                (Path(folder) / name).parent.mkdir(exist_ok=True)
                (Path(folder) / name).write_text(
                    f"namespace {space} {{\nstruct Verdict {{\n}};\n}}  // namespace {space}\n"
                )
            self.assertEqual(common_types(Path(folder)), {"octavo::Verdict": ["include/a.h", "src/b.h"]})


if __name__ == "__main__":
    unittest.main()
