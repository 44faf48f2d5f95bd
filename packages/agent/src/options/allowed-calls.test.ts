import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkAgentSettings } from '@toolfold/config/internal/settings/options.ts';
import type { AllowedCall, AllowRule } from '@toolfold/config/internal/settings/tools.ts';
import { isAllowedCall } from './approvals.ts';

const NAME = 'git__run';
const definitions = new Map([
  [NAME, 'f1'],
  ['git__run2', 'f2'],
]);
const tools = {
  addressOf: (name: string) => ({ name, bare: name.replace('git__', ''), groupId: 'mcp:git' }),
  fingerprintOf: (name: string) => definitions.get(name),
};

const allows = (one: AllowRule, given: unknown, name = NAME) =>
  isAllowedCall([one], { name, arguments: given }, tools);
const text = (pattern: string, given: unknown) =>
  allows({ tool: NAME, arguments: { text: pattern } }, { text: given });

test('the arguments are those of the pattern, each with its value', () => {
  const one: AllowedCall = {
    tool: NAME,
    arguments: { path: '/repo/*', mode: 'short', depth: 2, all: true, since: null },
  };
  const right = { path: '/repo/src/a.ts', mode: 'short', depth: 2, all: true, since: null };
  assert.ok(allows(one, right));
  assert.ok(allows(one, Object.fromEntries(Object.entries(right).reverse())));
  assert.ok(allows({ tool: NAME, arguments: {} }, {}));
});

test('a text goes on below its beginning, or with further words', () => {
  const right: Readonly<Record<string, readonly string[]>> = {
    '/repo/*': ['/repo/', '/repo/a', '/repo/a/b.c', '/repo/-x', '/repo/...', '/repo/a..b'],
    '/repo*': ['/repo', '/repo/', '/repo/a'],
    'git log*': ['git log', 'git log a', 'git log a/b v1.2', 'git log '],
    'git log *': ['git log a', 'git log a b'],
    'https://example.com/*': ['https://example.com/a/b'],
  };
  for (const [pattern, texts] of Object.entries(right))
    for (const given of texts) assert.ok(text(pattern, given), `${pattern} ${given}`);
});

/** Texts that begin like a pattern and mean something else. */
const ATTACKS: Readonly<Record<string, readonly [pattern: string, given: unknown]>> = {
  'a path that leads out': ['/repo/*', '/repo/../etc/passwd'],
  'one that leads out later': ['/repo/*', '/repo/a/../../etc'],
  'one that ends above': ['/repo/*', '/repo/a/..'],
  'a neighbour': ['/repo*', '/repository/a'],
  'a neighbour with a dot': ['/repo*', '/repo.evil'],
  'a second path': ['/repo/*', '/repo/a /etc/passwd'],
  'a second path behind the border': ['/repo*', '/repo/a /etc/passwd'],
  'a home': ['cat *', 'cat ~root/x'],
  'a second command': ['git log*', 'git log; rm -rf /'],
  'a second command without a space': ['git log *', 'git log a;rm b'],
  'a second line': ['git log*', 'git log \nrm x'],
  'a carriage return': ['git log*', 'git log \rrm x'],
  'a null character': ['/repo/*', '/repo/a\u0000b'],
  'a pipe': ['git log*', 'git log | sh'],
  'in the background': ['git log*', 'git log & sh'],
  'a redirection': ['git log*', 'git log > x'],
  'a substitution': ['git log*', 'git log $(sh)'],
  'an old substitution': ['git log*', 'git log `sh`'],
  'a variable': ['git log*', 'git log $HOME'],
  'an assignment': ['make *', 'make SHELL=sh'],
  'a glob': ['cat /repo/*', 'cat /repo/*'],
  'a set': ['cat /repo/*', 'cat /repo/{a,b}'],
  quotes: ['git log*', 'git log "a"'],
  'an escape': ['git log*', 'git log a\\ b'],
  'an option': ['git log*', 'git log --output=/etc/x'],
  'a short option': ['find /repo *', 'find /repo a -delete'],
  'an option at once': ['find *', 'find -delete'],
  'an option behind two spaces': ['git log*', 'git log  -x'],
  'another host': ['https://example.com*', 'https://example.com.evil.test/'],
  'a host behind a user': ['https://example.com*', 'https://example.com@evil.test'],
  'a port': ['https://example.com*', 'https://example.com:81/'],
  'an escaped path': ['https://example.com/a/*', 'https://example.com/a/%2e%2e/b'],
  'a query': ['https://example.com/a/*', 'https://example.com/a/b?x'],
  'a backslash': ['/repo/*', '/repo/..\\..\\x'],
  'a full-width slash': ['/repo/*', '/repo/\uFF0F..'],
  'a Cyrillic letter': ['/repo/*', '/repo/\u0430'],
  'another case': ['/repo/*', '/REPO/a'],
  'another form of a letter': ['caf\u00E9', 'cafe\u0301'],
  'a hidden character': ['/repo/*', '/repo/\u200Ba'],
  'a direction mark': ['/repo/*', '/repo/\u202Ea'],
  'a lone surrogate': ['/repo/*', '/repo/\uD800'],
  'a text that is too long': ['/repo/*', `/repo/${'a'.repeat(10_001)}`],
  'the pattern itself': ['/repo/*', '/repo/*'],
  'a list with the text': ['/repo/*', ['/repo/a']],
  'an object with the text': ['/repo/*', { toString: '/repo/a' }],
  'a longer text': ['short', 'short '],
  'a number as a text': ['1', 1],
  nothing: ['/repo/*', null],
  'an undefined value': ['/repo/*', undefined],
};

for (const [attack, [pattern, given]] of Object.entries(ATTACKS))
  test(`is not allowed: ${attack}`, () => assert.equal(text(pattern, given), false));

test('other arguments are not allowed', () => {
  const one: AllowedCall = { tool: NAME, arguments: { path: '/repo/*', depth: 1 } };
  const wrong: readonly unknown[] = [
    { path: '/repo/a' },
    { depth: 1 },
    {},
    { path: '/repo/a', depth: 1, force: true },
    { path: '/repo/a', depth: '1' },
    { path: '/repo/a', depth: [1] },
    { path: '/repo/a', Depth: 1 },
    { path: '/repo/a', depth: 1, ...JSON.parse('{"__proto__":1}') },
    JSON.parse('{"path":"/repo/a","__proto__":{"depth":1}}'),
    Object.create({ path: '/repo/a', depth: 1 }),
    { path: '/repo/a', depth: 1, [Symbol('x')]: 1 },
    [{ path: '/repo/a', depth: 1 }],
    '{"path":"/repo/a","depth":1}',
    null,
    undefined,
  ];
  for (const given of wrong) assert.equal(allows(one, given), false, JSON.stringify(given));
  assert.equal(allows({ tool: NAME, arguments: {} }, { constructor: 'x' }), false);
  assert.equal(allows({ tool: NAME, arguments: {} }, undefined), false);
});

test('a list in a pattern that nobody has checked allows nothing', () => {
  const list = ['x'];
  const one = { tool: NAME, arguments: { list } } as unknown as AllowedCall;
  assert.equal(allows(one, { list }), false);
});

test('another tool and another definition are not allowed', () => {
  const one: AllowedCall = { tool: NAME, arguments: {}, definition: 'f1' };
  assert.ok(allows(one, {}));
  assert.equal(allows(one, {}, 'git__run2'), false);
  assert.equal(allows({ ...one, tool: 'git__*' }, {}), false, 'a tool is no glob');
  assert.equal(allows({ ...one, definition: 'f2' }, {}), false);
  assert.equal(allows({ tool: 'gone', arguments: {} }, {}, 'gone'), false, 'nobody knows it');
});

test('certain tools are allowed with any arguments, while their definitions stay the same', () => {
  const one = { tools: { [NAME]: 'f1', gone: 'f3', git__run3: 'f2' } };
  assert.ok(allows(one, { a: [1] }));
  assert.ok(allows(one, undefined));
  for (const name of ['git__run2', 'gone', 'git__run3', 'constructor', '__proto__'])
    assert.equal(allows(one, {}, name), false, name);
  assert.equal(allows({ tools: { [NAME]: 'f2' } }, {}), false);
  // Nobody has checked these.
  for (const tools of [
    undefined,
    null,
    [NAME],
    NAME,
    { [NAME]: undefined },
    Object.create({ [NAME]: 'f1' }),
  ])
    assert.equal(allows({ tools } as unknown as AllowRule, {}), false);
});

test('an entry that is not understood is refused', () => {
  const wrong: readonly unknown[] = [
    { tool: NAME },
    { arguments: {} },
    { tool: ' ', arguments: {} },
    { tool: 'd*', arguments: {} },
    { tool: 'git__ru?', arguments: {} },
    { tool: NAME, arguments: [] },
    { tool: NAME, arguments: { a: ['x'] } },
    { tool: NAME, arguments: { a: { b: 'x' } } },
    { tool: NAME, arguments: { a: '*' } },
    { tool: NAME, arguments: { a: 'x*y' } },
    { tool: NAME, arguments: { a: 'x**' } },
    { tool: NAME, arguments: {}, definition: '' },
    { tool: NAME, arguments: {}, unless: 'x' },
    { tool: NAME, arguments: JSON.parse('{"__proto__":"x"}') },
    { tools: {}, tool: NAME },
    { tools: [NAME] },
    { tools: { [NAME]: 1 } },
    { tools: { [NAME]: '' } },
    { tools: { ' ': 'f1' } },
    [NAME],
    1,
    null,
  ];
  for (const one of wrong)
    assert.throws(
      () => checkAgentSettings({ approvals: { allow: [one] } }),
      { code: 'invalid-option' },
      JSON.stringify(one),
    );
  checkAgentSettings({ approvals: { allow: ['mcp:git', { tool: NAME, arguments: { a: 'x*' } }] } });
});
