#!/usr/bin/env python3
"""The first error of a compiler for a wrong system or implementation names what is missing, and none follows.

usage: first_error_test.py ROOT COMPILER
"""
import re
import subprocess
import sys
import unittest

ROOT = ""
COMPILER = ""

SOURCE = """
#include "lockstep/lockstep.hpp"

struct Lru {
  static constexpr std::string_view name = "lru";
  struct Setup {
    int capacity = 1;
    bool operator==(const Setup&) const = default;
  };
  using Snapshot = Setup;
  struct Get {
    static constexpr std::string_view name = "get";
    int key = 0;
    bool operator==(const Get&) const = default;
  };
  using Action = std::variant<Get>;
  struct Observation {
    int value = 0;
    bool operator==(const Observation&) const = default;
  };
  static void describe(auto& io, Setup& s) { io.number("capacity", s.capacity, 1, 9); }
  static void describe(auto& io, const Setup&, Get& a) { io.number("key", a.key, 0, 9); }
  static void describe(auto& io, Observation& o) { io.value("value", o.value); }
};

struct List {
  explicit List(const Lru::Setup& setup) : state{setup} {}
  Lru::Observation step(const Lru::Action&) { return {}; }
  Lru::Snapshot snapshot() const { return state; }
  Lru::Setup state;
};

int main(int argc, char** argv) {
  return lockstep::system<Lru>().reference<List>("list").implementation<List>("other").main(argc, argv);
}
"""


# What is removed from it, and what the first error says then.
REMOVED = {
    "  Lru::Observation step(const Lru::Action&) { return {}; }\n":
        "lockstep::Implementation: the class needs 'Observation step(const Action&)'",
    "    bool operator==(const Observation&) const = default;\n":
        "lockstep::System: Observation needs 'bool operator==(const Observation&) const = default'",
    '  static void describe(auto& io, Setup& s) { io.number("capacity", s.capacity, 1, 9); }\n':
        "lockstep::System: the system needs 'static void describe(auto& io, Setup&)'",
    '    static constexpr std::string_view name = "get";\n':
        "lockstep::System: each kind of action needs 'static constexpr std::string_view name'",
    '  static void describe(auto& io, const Setup&, Get& a) { io.number("key", a.key, 0, 9); }\n':
        "lockstep::System: each kind of action with fields needs 'static void describe(auto& io, const ",
    "    bool operator==(const Get&) const = default;\n":
        "lockstep::System: each kind of action needs 'bool operator==(const …&) const = default'",
}


class FirstError(unittest.TestCase):
    def errors_of(self, text):
        """Each error with its notes."""
        result = subprocess.run([COMPILER, "-std=c++23", "-fsyntax-only", f"-I{ROOT}", "-x", "c++", "-"], input=text,
                                capture_output=True, encoding="utf-8", env={"PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8"})
        return re.split(r"^(?=.*error:)", result.stderr, flags=re.MULTILINE)[1:]

    def changed(self, removed, put=""):
        self.assertIn(removed, SOURCE)
        return SOURCE.replace(removed, put, 1)

    def one_error(self, text, expected):
        errors = self.errors_of(text)
        self.assertEqual(len(errors), 1, errors)
        self.assertIn(expected, errors[0])
        if "each kind of action" in expected:
            self.assertRegex(errors[0], r"kind_\w+<(Lru, )?Lru::Get>")

    def test_a_right_program_has_none(self):
        self.assertEqual(self.errors_of(SOURCE), [])

    def test_what_is_missing_is_named(self):
        for removed, expected in REMOVED.items():
            with self.subTest(removed.strip()):
                self.one_error(self.changed(removed), expected)

    def test_a_snapshot_of_its_own_is_described_and_compared(self):
        equality = "bool operator==(const Snapshot&) const = default;"
        for members in (equality, ""):
            described = "" if members else "static void describe(auto& io, Snapshot& s) { io.value(\"size\", s.size); }"
            self.one_error(self.changed("using Snapshot = Setup;", f"struct Snapshot {{ int size = 0; {members} }}; {described}")
                           .replace("return state; }", "return {}; }"), "a Snapshot needs 'static void describe(auto& io, Snapshot&)'")

    def test_arguments_that_with_does_not_take(self):
        self.one_error('#include "lockstep/lockstep.hpp"\nint twice(int x, int y) { return x + y; }\n'
                       'int main(int argc, char** argv) { return lockstep::compare("twice", twice, twice)'
                       '.with([](auto& io, int& x) { io.number("x", x, 0, 9); }).equal([](int, int) { return true; }).main(argc, argv); }',
                       ".with takes a function of io and a reference to each argument")

    def test_a_field_of_a_type_that_cannot_be_described(self):
        expected = "a pointer cannot be described, and an enumeration needs a fixed underlying type"
        for declaration in ("const char* value = nullptr;", "enum Colour { red } value = red;"):
            self.assertIn(expected, self.errors_of(self.changed("int value = 0;", declaration))[0])

    def test_a_factory_that_returns_a_bare_pointer(self):
        self.one_error(self.changed('.implementation<List>("other")',
                                    '.implementation("other", [](const Lru::Setup& s) { return new List{s}; })'),
                       "a factory returns an implementation by value, or a std::unique_ptr")


if __name__ == "__main__":
    ROOT, COMPILER = sys.argv.pop(1), sys.argv.pop(1)
    unittest.main(verbosity=2)
