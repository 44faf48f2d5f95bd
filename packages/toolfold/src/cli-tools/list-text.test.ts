import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { age } from '../terminal/text.ts';
import { listReport, listText } from './list-report.ts';

const plain = { style: (_style: unknown, text: string): string => text };
const marked = { style: (style: unknown, text: string): string => `<${style}>${text}</>` };

const login = { reason: 'it needs a login', remedy: 'Run: toolfold login \u001b[31mhere' };
const servers = [
  { name: 'github', state: 'idle', tools: 1200, listedAt: 0, ms: 0 },
  { name: 'li\u001b[31mnear', state: 'needs-auth', ...login, tools: 0, ms: 5 },
  { name: 'two words', state: 'needs-auth', ...login, tools: 0, ms: 5 },
] as const;
const tool = {
  ...{ name: 'github__create_issue', server: 'github', groupId: 'mcp:github' },
  ...{
    bare: 'create_issue',
    inputSchema: {},
    exposure: 'deferred' as const,
    listed: { name: 'create_issue' },
  },
  description: `Creates\u001b]0;title\u0007 an issue ${'in a repository '.repeat(20)}. More.`,
};
const report = listReport({
  source: 'c.json',
  servers,
  disabled: ['off'],
  timeout: 1,
  selection: { tools: [tool], near: [] },
});

suite('the output of list', () => {
  test('servers, what to do, and tools', () => {
    const lines = listText(report, plain, 7_200_000).split('\n');
    assert.deepEqual(lines.slice(0, 8), [
      'Server     State       Tools  Listed',
      'github     idle        1,200  2 h ago',
      'linear     needs-auth      0',
      'two words  needs-auth      0',
      'off        disabled',
      '',
      'linear: needs-auth: it needs a login. Run: toolfold login here',
      'two words: needs-auth: it needs a login. Run: toolfold login here',
    ]);
    assert.match(
      lines.at(-2) ?? '',
      /^ {2}github__create_issue {2}Creates an issue in a repository/,
    );
    assert.ok(!lines.join('').includes('\u001b'));
  });

  for (const columns of [20, 40, 80]) {
    test(`tables fit ${columns} columns`, () => {
      const [table = '', , ...tools] = listText(report, { ...plain, columns }, 0).split('\n\n');
      for (const line of [table, ...tools].join('\n').split('\n'))
        assert.ok(line.length <= columns, line);
    });
  }

  test('states have colours', () => {
    const text = listText(report, marked, 0);
    assert.match(text, /^github {5}<green>idle<\/>/m);
    assert.match(text, /^two words {2}<yellow>needs-auth<\/>/m);
    assert.match(text, /^off {8}<dim>disabled<\/>$/m);
  });
});

test('ages', () => {
  const cases: readonly (readonly [number, string])[] = [
    [-5, 'now'],
    [59_999, 'now'],
    [60_000, '1 min ago'],
    [3_600_000, '1 h ago'],
    [49 * 3_600_000, '2 d ago'],
  ];
  for (const [milliseconds, expected] of cases) assert.equal(age(milliseconds), expected);
});
