import assert from 'node:assert/strict';
import { test } from 'node:test';
import { causeLines, TextTail } from './output-tail.ts';

/** What programs write before they end, and what is shown of it. */
const rows: readonly (readonly [name: string, output: string, shown: readonly string[]])[] = [
  [
    'a module that Node does not find',
    `node:internal/modules/cjs/loader:1228
  throw err;
  ^

Error: Cannot find module '/srv/server.js'
    at Module._resolveFilename (node:internal/modules/cjs/loader:1225:15)
    at Module._load (node:internal/modules/cjs/loader:1051:27)
    at node:internal/main/run_main_module:36:49 {
  code: 'MODULE_NOT_FOUND',
  requireStack: []
}

Node.js v24.1.0
`,
    ["Error: Cannot find module '/srv/server.js'"],
  ],
  [
    'an error of Node with a deep stack',
    `/srv/index.js:3
    throw new Error('API_KEY is required');
    ^

Error: API_KEY is required
${'    at f (/srv/index.js:1:1)\n'.repeat(20)}
Node.js v24.1.0
`,
    ["throw new Error('API_KEY is required');", 'Error: API_KEY is required'],
  ],
  [
    'an error of Python with the error that caused it',
    `Traceback (most recent call last):
  File "/srv/main.py", line 1, in <module>
    import server
  File "/srv/server.py", line 2, in <module>
    import missing_module
ModuleNotFoundError: No module named 'missing_module'
`,
    ["ModuleNotFoundError: No module named 'missing_module'"],
  ],
  [
    'npm without the package',
    `npm error code E404
npm error 404 Not Found - GET https://registry.example.com/@nobody%2fserver
npm error 404
npm error 404  '@nobody/server@*' is not in this registry.
npm error A complete log of this run can be found in: /home/user/.npm/_logs/debug-0.log
`,
    [
      'npm error 404 Not Found - GET https://registry.example.com/@nobody%2fserver',
      'npm error 404',
      "npm error 404  '@nobody/server@*' is not in this registry.",
    ],
  ],
  [
    'a panic of Go',
    `panic: open /etc/server.toml: no such file or directory

goroutine 1 [running]:
main.main()
	/srv/main.go:8 +0x1d
exit status 2
`,
    ['panic: open /etc/server.toml: no such file or directory'],
  ],
  [
    'a panic of Rust',
    `thread 'main' panicked at src/main.rs:4:5:
TOKEN is not set
note: run with \`RUST_BACKTRACE=1\` environment variable to display a backtrace
`,
    ["thread 'main' panicked at src/main.rs:4:5:", 'TOKEN is not set'],
  ],
  ['a shell', 'sh: 1: mcp-server: not found\n', ['sh: 1: mcp-server: not found']],
  ['a program that says little', 'hello\nbad key\n', ['hello', 'bad key']],
  ['nothing but frames', '    at f (/srv/index.js:1:1)\n', ['at f (/srv/index.js:1:1)']],
  ['nothing', '', []],
];

for (const [name, output, shown] of rows)
  test(`what is shown of ${name}`, () => {
    const tail = new TextTail();
    tail.add(output);
    assert.deepEqual(tail.causeLines(4, []), shown);
  });

test('no more lines are shown than were asked for', () => {
  const lines = Array.from({ length: 50 }, (_, at) => `Error: number ${at}`);
  assert.deepEqual(causeLines(lines, 4), lines.slice(-4));
});
