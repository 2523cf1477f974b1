"""Tests of check_bindings.py."""

import unittest

from check_bindings import captures_of


def of(body):
    return captures_of("void f() {\n" + body + "\n}\n")


class CheckBindings(unittest.TestCase):
    def test_captures_by_default_and_by_name_are_found(self):
        for capture in ("&", "=", "&a", "a", "this, &"):
            self.assertEqual(of(f"  const auto [a, b] = pair();\n  call([{capture}] {{ return a; }});"), [(3, "a")])
        self.assertEqual(
            of("  auto& [a, b] = pair();\n  const auto g = [&](int x) -> int { return x + b; };"), [(3, "b")]
        )

    def test_a_loop_ends_its_names(self):
        loop = "  for (const auto& [a, b] : pairs) {\n    %s\n  }\n  call([&] { return a; });"
        self.assertEqual(of(loop % "use(a);"), [])
        self.assertEqual(of(loop % "call([&] { return b; });"), [(3, "b")])
        self.assertEqual(of("  for (const auto& [a, b] : pairs) use(a);\n  call([&] { return a; });"), [])

    def test_named_copies_and_other_names_are_free(self):
        binding = "  const auto [a, b] = pair();\n"
        for lambda_ in (
            "[a = a] { return a; }",
            "[&, &a = a] { return a; }",
            "[&](int a) { return a; }",
            "[&] { return c.a + d->b; }",
            '[&] { return "a"; }  // b',
            "[] { return 1; }",
            "[&] { const auto [a, b] = other(); return a; }",
        ):
            self.assertEqual(of(f"{binding}  call({lambda_});"), [], lambda_)
        self.assertEqual(of("  {\n    const auto [a, b] = pair();\n  }\n  int a = 1;\n  call([&] { return a; });"), [])


if __name__ == "__main__":
    unittest.main()
