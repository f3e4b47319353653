#!/usr/bin/env python3
"""The planter on users' programs: ordinary ways to write them. Each keeps its behaviour, and changes when a change is on.

usage: planter_test.py ROOT
"""
import itertools
import json
import os
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

from processes import run
from stress_programs import command_of

ROOT = Path(sys.argv[1]).resolve()
COMPILER = shutil.which("clang++-19") or shutil.which("clang++")

# Each is a namespace of one program; its `run` prints something.
WAYS = {
    "sizes of arrays": "const int S = 13; int a[S][S]; const int N = 2 * S + 1; bool seen[N]; void run() { a[1][2] = 5; cout << a[1][2] + S << sizeof seen; }",
    "constexpr sizes": "constexpr int W = 1 << 3, H{W / 2}; char grid[H][W + 2]; void run() { cout << sizeof grid + W; }",
    "a size by a call": "const int N = max(3, 4); int a[N]; void run() { for (int i = 0; i < N; i++) a[i] = i * i; cout << a[N - 1]; }",
    "a choice with -1": "void run() { int f = 1; long long t = 7; cout << (f ? t : -1) << (f ? -1 : 0) << (f > 1 ? 'a' : 'b'); }",
    "chains of choices": "int sign(int x) { return x < 0 ? -1 : x > 0 ? 1 : 0; } void run() { cout << sign(-5) << sign(0) << sign(9); }",
    "streams": 'void run() { ios::sync_with_stdio(0); cin.tie(0); cin.tie(NULL)->sync_with_stdio(false); istringstream in("1 2 3"); int x, s = 0; while (in >> x) s += x; cout << s; }',
    "a failed read": 'void run() { istringstream in("x"); int x = 4; if (!(in >> x)) cout << "none"; else cout << x + 1; }',
    "scanf": 'void run() { int a, b; char text[] = "3 4"; if (sscanf(text, "%d%d", &a, &b) != 2) return; char out[20]; sprintf(out, "%d %02d", a * b, a - b); cout << out; }',
    "macros with arguments": "#define rep(i, n) for (int i = 0; i < (n); ++i)\nvoid run() { int s = 0; rep(i, 4) rep(j, i) s += i * j; cout << s; }\n#undef rep\n",
    "macros without": "#define MAX 30\n#define INF (1 << 20)\n#define ll long long\nvoid run() { ll best = INF; int a[MAX + 1] = {0}; for (ll i = 0; i < MAX; i++) best = min(best, i * i - 9 * i + a[i]); cout << best; }\n#undef ll\n#undef MAX\n#undef INF\n",
    "macros of pairs": "#define X first\n#define Y second\n#define all(v) (v).begin(), (v).end()\nvoid run() { pair<int, int> p{1, 2}; p.X += p.Y * 3; vector<int> v{3, 1, 2}; sort(all(v)); cout << p.X << v[0] + 1; }\n#undef X\n#undef Y\n",
    "int is long long": "#define int long long\nint square(int x) { return x * x; }\nvoid run() { int x = 3000000000; cout << square(x) / 7; }\n#undef int\n",
    "lambdas": "void run() { int base = 3; auto f = [&](int x) { return x + base; }; auto g = [=](int x) -> int { if (x > 1) return x * base; return 0; }; cout << f(2) << g(4); }",
    "a recursive lambda": "void run() { function<int(int)> f = [&](int n) { return n <= 1 ? 1 : n * f(n - 1); }; auto g = [](auto self, int n) -> int { return n < 2 ? n : self(self, n - 1) + self(self, n - 2); }; cout << f(5) << g(g, 8); }",
    "a global lambda": "auto twice = [](int x) { return x * 2; }; void run() { cout << twice(21); }",
    "structured bindings": "void run() { map<int, int> m{{1, 2}, {3, 4}}; int s = 0; for (auto [k, v] : m) s += k > 1 && v > 1 ? k * v : -k; for (auto& [k, v] : m) v = k; auto [a, b] = pair{5, 6}; cout << s << a - b << m[3]; }",
    "a tuple and tie": "void run() { int a, b; tie(a, b) = make_pair(4, 9); auto t = make_tuple(1, 2L, 'c'); cout << a * b + get<0>(t) + get<1>(t); }",
    "a table of directions": "int dx[4] = {0, 1, 0, -1}; const int dy[] = {1, 0, -1, 0}; void run() { int s = 0; for (int d = 0; d < 4; ++d) s = s * 3 + dx[d] + 2 * dy[d]; cout << s; }",
    "constexpr tables": "constexpr int dx[] = {0, 1, 0, -1}, dy[] = {1, 0, -1, 0}; constexpr array<int, 3> c{1, 2, 3}; static_assert(c[1] == 2); void run() { cout << dx[1] * 3 + dy[2] + c[2]; }",
    "a constexpr table in a size": "constexpr int sizes[] = {2, 5}; int a[sizes[1]]; int start = 7; void run() { a[4] = start; cout << a[4] - sizes[0]; }",
    "constexpr functions": "constexpr int square(int x) { int s = 0; for (int i = 0; i < x; ++i) s += x; return s; } int a[square(3)]; void run() { int n = 4; cout << square(n) + sizeof a; }",
    "templates": "template <class T> T larger(T a, T b) { return a > b ? a : b; } template <int N> int scaled(int x) { return x * N + 1; } void run() { cout << larger(3, 4) << larger(2.5, 1.5) << scaled<3>(5) << larger(string(\"a\"), string(\"b\")); }",
    "a class template": "template <class T, size_t N> struct Ring { T data[N]; size_t at = 0; void push(T x) { data[at++ % N] = x; } }; void run() { Ring<int, 3> r; for (int i = 0; i < 5; ++i) r.push(i); cout << r.data[0] << r.at; }",
    "auto and decltype": "auto sum(const vector<int>& v) { auto s = v[0] - v[0]; for (auto x : v) s += x; return s; } void run() { decltype(1 + 2L) x = 3; cout << sum({1, 2, 3}) * x; }",
    "bit fields": "struct Cell { unsigned color : 3; int height : 5; bool open : 1; }; void run() { Cell c{5, -3, true}; c.color++; c.height -= 2; c.color |= 1; cout << c.color << c.height << (c.open && c.height < 0); }",
    "bits": "void run() { unsigned m = 0xF0u; int n = 0; for (unsigned x = m; x; x &= x - 1) ++n; m ^= 1u << 3; cout << n << ' ' << (m >> 2 | 1) << ' ' << (~m & 255) << __builtin_popcount(m); }",
    "wide literals": "const long long INF = 1e18; void run() { long long x = 1LL << 40, y = 10'000'000'000; unsigned long long z = ~0ULL; cout << x % 1000 + y << (x < INF) << (z >> 60) << -2147483648LL << INT_MAX - 1; }",
    "characters": "void run() { string s = \"zyx\"; int n = 0; for (char c : s) n = n * 26 + (c - 'a' + 1); char d = '0' + 7; s[0] += 1; cout << n << d << (char)(d + 1) << s; }",
    "digits of a string": 'void run() { string s = "1203"; int total = 0; for (size_t i = 0; i < s.size(); i++) if (s[i] != \'0\' && isdigit(s[i])) total += s[i] - 48; cout << total << stoi(s) + 1; }',
    "bools as numbers": "void run() { bool a = true, b = false; int n = a + b; n += a & !b; a |= b; a = a ^ true; cout << n << a << (b == false); }",
    "pointers": "int sum(const int* p, const int* end) { int s = 0; while (p != end) s += *p++; return s; } void run() { int a[5] = {1, 2, 3, 4, 5}; int* q = a + 4; --q; cout << sum(a, a + 5) << *(q - 1) << q - a << (q == nullptr) << (q == 0); }",
    "a linked list": "struct Node { int value; Node* next; Node(int v, Node* n = 0) : value(v), next(n) {} }; void run() { Node* head = 0; for (int i = 1; i <= 3; i++) head = new Node(i * i, head); int s = 0; for (Node* p = head; p; p = p->next) s = s * 10 + p->value; cout << s; }",
    "references": "void swap_if(int& a, int& b) { if (a > b) { int t = a; a = b, b = t; } } void run() { int x = 9, y = 2; int& least = x < y ? x : y; least *= 4; swap_if(x, y); cout << x << y; }",
    "enumerations": "enum Color { RED, GREEN = 4, BLUE }; enum class Way : char { up = -1, down = 1 }; void run() { Color c = BLUE; int n = GREEN + c; cout << n << (c == BLUE) << static_cast<int>(Way::up) * 3; }",
    "switch and case": "int kind(int x) { switch (x % 4) { case 0: return 10; case 1: x += 3; case 2: x *= 2; break; default: { x--; break; } } return x; } void run() { cout << kind(4) << kind(5) << kind(6) << kind(7); }",
    "constants in a case": "const int LEFT = 1, RIGHT = LEFT + 1; void run() { int d = 2; switch (d) { case LEFT: cout << 'l'; break; case RIGHT: cout << d + 'r'; } }",
    "do, break and continue": "void run() { int i = 0, s = 0; do { if (i % 3 == 0) continue; if (i > 7) break; s += i; } while (++i < 20); while (true) { if (s-- < 10) break; } cout << i << s; }",
    "goto": "void run() { int i = 0; again: i += 2; if (i < 9) goto again; for (int a = 0; a < 5; a++) for (int b = 0; b < 5; b++) if (a * b == 6) { i += a; goto done; } done: cout << i; }",
    "commas": "void run() { int i, j, s = 0; for (i = 0, j = 9; i < j; i++, j--) s += i * j, s ^= 1; if (i = 3, s > 0) s -= i; cout << s; }",
    "operators of a class": "struct P { int x, y; P operator+(const P& o) const { return {x + o.x, y + o.y}; } bool operator<(const P& o) const { return x != o.x ? x < o.x : y < o.y; } bool operator==(const P& o) const { return x == o.x && y == o.y; } }; ostream& operator<<(ostream& out, const P& p) { return out << p.x << ',' << p.y; } void run() { P a{1, 2}, b{3, 4}; set<P> s{b, a}; cout << a + b << *s.begin() << (a == b) << (a != b); }",
    "comparing by <=>": "struct P { int x, y; auto operator<=>(const P&) const = default; }; void run() { P a{1, 2}, b{1, 3}; cout << (a < b) << (a == b) << (a != b ? a.x - 5 : 0); }",
    "a queue ordered by a lambda": "void run() { auto later = [](const pair<int, int>& a, const pair<int, int>& b) { return a.second > b.second; }; priority_queue<pair<int, int>, vector<pair<int, int>>, decltype(later)> q(later); q.push({1, 9}); q.push({2, 3}); cout << q.top().first; }",
    "a queue ordered by a class": "struct Later { bool operator()(int a, int b) const { return a % 10 > b % 10; } }; void run() { priority_queue<int, vector<int>, Later> q; q.push(19); q.push(21); q.push(35); cout << q.top(); }",
    "breadth first": "int dist[5][5]; void run() { memset(dist, -1, sizeof(dist)); queue<pair<int, int>> q; q.push({0, 0}); dist[0][0] = 0; while (!q.empty()) { auto [y, x] = q.front(); q.pop(); for (auto [a, b] : {pair{0, 1}, {1, 0}}) { int ny = y + a, nx = x + b; if (ny >= 5 || nx >= 5 || ~dist[ny][nx]) continue; dist[ny][nx] = dist[y][x] + 1; q.emplace(ny, nx); } } cout << dist[4][4]; }",
    "depth first": "vector<vector<int>> g(6); bool seen[6]; int dfs(int u) { if (seen[u]) return 0; seen[u] = 1; int n = 1; for (int v : g[u]) n += dfs(v); return n; } void run() { g[0] = {1, 2}; g[2].push_back(3); cout << dfs(0); }",
    "nested vectors": "void run() { int h = 3, w = 4; vector<vector<char>> b(h, vector<char>(w, '.')); b[h - 1][w - 1] = '#'; int n = count(b[2].begin(), b[2].end(), '#'); for (auto& row : b) for (auto& c : row) n += c == '.'; cout << n; }",
    "a vector of bools": "void run() { vector<bool> v(5, false); v[2] = !v[1]; v[3] = v[2] && !v[0]; bitset<8> b(5); b[1] = 1; cout << v[3] + v[2] << b.count(); }",
    "static members": "struct Id { static const int LAST = 3; static int used; inline static int more = 4; int id; Id() : id(used++) {} }; int Id::used = 1; int a[Id::LAST]; void run() { Id x, y; static int calls = 2; calls++; cout << x.id + y.id + Id::LAST + Id::more + calls; }",
    "members with values": "struct Game { int score = 10; vector<int> stack = {1, 2}; explicit Game(int s = 3) : score{score_of(s)} {} int score_of(int s) const { return s * 2; } int best() const { return max({score, stack[1], 4}); } }; void run() { Game g{4}; cout << g.best() << min(g.score, 3); }",
    "inheritance": "struct Shape { virtual int area() const = 0; virtual ~Shape() {} }; struct Square : Shape { int a; Square(int x) : a(x) {} int area() const override { return a * a; } }; void run() { unique_ptr<Shape> s(new Square(6)); cout << s->area(); }",
    "inline namespaces": "inline namespace v1 { int f(int x) { return x - 1; } } namespace { int hidden = 5; } namespace deep::er { int g() { return f(hidden) * 3; } } void run() { cout << deep::er::g(); }",
    "unions and typedefs": "typedef long long ll; typedef vector<ll> vl; using pii = pair<int, int>; union U { int i; char c[4]; }; void run() { U u; u.i = 65; vl v(3, 1LL); pii p(1, 2); cout << u.c[0] << v[0] + v[2] << p.second % 2; }",
    "exceptions": "int parse(const string& s) { try { return stoi(s); } catch (const exception&) { return -1; } } void run() { cout << parse(\"12\") << parse(\"x\"); }",
    "if constexpr": "template <class T> int kind(T x) { if constexpr (sizeof(T) > 4) return x > 2 ? 1 : 2; else return x * 3; } void run() { cout << kind(3) << kind(3LL); }",
    "if with a variable": "void run() { map<int, int> m{{2, 7}}; if (auto it = m.find(2); it != m.end()) cout << it->second + 1; if (int n = m.size()) cout << n * 2; }",
    "overloads and defaults": "int f(int x, int y = 2) { return x - y; } int f(long x) { return 1; } int f(char* p) { return p ? 1 : 2; } void run() { cout << f(9) << f(9L) << f(nullptr) << f(3, 1); }",
    "variadic": "int sum() { return 0; } template <class A, class... R> int sum(A a, R... r) { return a + sum(r...); } template <class... T> int folded(T... t) { return (t + ... + 0); } void run() { cout << sum(1, 2, 3) << folded(4, 5); }",
    "comments in expressions": "void run() { int a = 1; // one\n  int b = a + // two\n      2 /* three */ * 3;\n  if (a < b && // four\n      b > 0)\n    cout << a - b;\n}",
    "strings": "void run() { cout << R\"(a \"+\" b)\" << \"1 + 1;\" << '\\'' << \"//\" << 1 + 1; }",
    "narrow braces": "void run() { char c{65}; unsigned char d[] = {1, 200}; short s{3}; s = s * 2; cout << c << d[1] - d[0] << s; }",
    "C arrays and memory": "void run() { int a[3][3] = {{1, 2, 3}, {4}, {}}; int b[9]; memcpy(b, a, sizeof a); int n = sizeof(b) / sizeof(b[0]); qsort(b, n, sizeof(int), [](const void* x, const void* y) { return *(int*)x - *(int*)y; }); cout << b[n - 1] << b[4]; }",
    "iterators": "void run() { vector<int> v{1, 3, 5}; auto it = lower_bound(v.begin(), v.end(), 2); cout << it - v.begin() << *(it + 1) << distance(v.begin(), it); v.erase(v.begin() + 1); cout << v.size() - 1; }",
    "old C": "struct point { int x; int y; }; int get(struct point *p) { register int r; r = p -> x * 10 + p -> y; return (r); } void run(void) { struct point p = { 3, 4 }; int i; for(i=0;i<3;i++){p.x+=i;} if(i==3) cout<<get(&p); else cout<<-1; }",
    "operators by name": "void run() { int a = 5, b = 0; if (a > 1 and not b or a == 9) b += 2; cout << b << (a bitand 4); }",
    "variable sizes": "void run() { int n = 3; int a[n]; for (int i = 0; i < n; i++) a[i] = i + 1; cout << a[n - 1]; }",
}
HEAD = "#include <bits/stdc++.h>\n#if 0\n#include <no_such_header.h>\n#endif\nusing namespace std;\n"
MAIN = "int main() {\n" + "".join(f"way_{n}::run(); cout << endl;\n" for n in range(len(WAYS))) + "}\n"

# Whole programs, each with what it prints.
PROGRAMS = {
    "a byte order mark": (b'\xef\xbb\xbf#include <cstdio>\nint main() { std::printf("%d", 1 + 1); }\n', "2"),
    "ends of lines of Windows": (b'#include <cstdio>\r\n#define N 2\r\nint main()\r\n{\r\n  int a = N,\r\n    b = a + 1;\r\n  std::printf("%d", a * b);\r\n}', "6"),
    "another encoding": (b'// caf\xe9\n#include <cstdio>\nint main() { int n = 3; printf("\xe9%d", n * 2); return 0; }\n', "\ufffd6"),
    "C": (b'#include <stdio.h>\n#include <string.h>\nchar cell[9];\nint main(void) { memcpy(cell + 1, "ab", 2); printf("%c", cell[2]); return 0; }\n', "b"),
    "a specialisation of std": (b"#include <cstdio>\n#include <unordered_map>\nstruct P { int x; bool operator==(const P& o) const { return x == o.x; } };\n"
                                b"namespace std { template <> struct hash<P> { size_t operator()(const P& p) const { return p.x * 31; } }; }\n"
                                b'int main() { std::unordered_map<P, int> m; m[{2}] = 5; std::printf("%d", m[{2}] + 1); }\n', "6"),
}


@unittest.skipUnless(COMPILER, "the planter needs clang++")
class Planter(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = Path(folder.name)

    def plant(self, text: bytes, name="program.cpp") -> dict:
        (self.path / name).write_bytes(text)
        run(sys.executable, "-B", ROOT / "tools/planter/plant.py", "--program", self.path / name, "--out", self.path / "out",
            expected=0)
        return json.loads((self.path / "out" / "mutants.json").read_text())

    def output(self, change=0, program=None) -> str:
        """Of a change that makes an endless loop, what it has printed before."""
        program = program or self.path / "out" / "planted"
        with subprocess.Popen([str(program)], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, encoding="utf-8", errors="replace",
                              env={**os.environ, "LOCKSTEP_MUTANT": str(change)}) as running:
            try:
                return running.communicate(timeout=5)[0]
            except subprocess.TimeoutExpired:
                running.kill()
                return running.communicate()[0]

    def test_every_way_to_write_a_program_holds_changes_and_keeps_its_behaviour(self):
        ways = "".join(f"namespace way_{n} {{\n{code}\n}}\n" for n, code in enumerate(WAYS.values()))
        text = HEAD + ways + MAIN
        planted = self.plant(text.encode())
        expected = self.output(program=command_of(self.path / "program.cpp", self.path, COMPILER))
        self.assertEqual(len(expected.splitlines()), len(WAYS))
        self.assertEqual(self.output(), expected)
        first_lines = [n for n, line in enumerate(text.splitlines(), 1) if line.startswith(("namespace way_", "int main"))]
        for name, (first, following) in zip(WAYS, itertools.pairwise(first_lines), strict=True):
            changes = [change for change in planted["changes"] if first <= change["line"] < following]
            shown = f"{name}: {[change['change'] for change in changes]}"
            with self.subTest(way=name):
                self.assertTrue(changes)
                self.assertTrue(any(self.output(change["number"]) != expected for change in changes), shown)

    def test_every_program_holds_changes_and_keeps_its_behaviour(self):
        for name, (text, expected) in PROGRAMS.items():
            with self.subTest(program=name):
                changes = self.plant(text)["changes"]
                self.assertEqual(self.output(), expected)
                self.assertTrue(any(self.output(change["number"]) != expected for change in changes))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=2)
