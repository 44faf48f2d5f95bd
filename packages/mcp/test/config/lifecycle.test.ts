import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseConfig } from '../../src/config/read-config.ts';

function entryOf(entry: object, file = '/p/mcp.json') {
  const text = JSON.stringify({ mcpServers: { s: { command: 'x', ...entry } } });
  return parseConfig(file, text, { env: { ROOT: '/other' }, root: '/r' }).servers.get('s');
}

test('the keys of a server’s life, in seconds, become milliseconds', () => {
  const entry = entryOf({
    keepAlive: true,
    perSession: false,
    idleSeconds: 1.5,
    startSeconds: 2,
    callSeconds: 3,
    maxCalls: 4,
    protocol: 'legacy',
    toolSeconds: { 'a_*': 5, b: 6 },
  });
  assert.ok(entry?.kind === 'stdio');
  assert.deepEqual(entry.lifecycle, {
    keepAlive: true,
    perSession: false,
    idleTime: 1500,
    startTimeout: 2000,
    callTimeout: 3000,
    maxCalls: 4,
    protocol: 'legacy',
    toolTimeouts: [
      ['a_*', 5000],
      ['b', 6000],
    ],
  });
  const bare = entryOf({});
  assert.ok(bare?.kind === 'stdio');
  assert.equal(bare.lifecycle, undefined);
});

const mistakes: [object, RegExp][] = [
  [{ keepAlive: 'yes' }, /"keepAlive" should be true or false but is a string/],
  [{ perSession: 1 }, /"perSession" should be true or false/],
  [{ idleSeconds: 0 }, /"idleSeconds" should be a number of seconds above 0/],
  [{ startSeconds: '5' }, /"startSeconds"/],
  [{ callSeconds: -1 }, /"callSeconds"/],
  [{ maxCalls: 1.5 }, /"maxCalls" should be a whole number above 0/],
  [{ protocol: '2025-11-25' }, /"protocol" is not one of auto, legacy and 2026-07-28/],
  [{ protocol: null }, /"protocol" is not one of/],
  [{ toolSeconds: [] }, /"toolSeconds" should be an object of seconds by tool but is a list/],
  [{ toolSeconds: { a: null } }, /"toolSeconds\.a"/],
];

for (const [entry, expected] of mistakes) {
  test(`a mistake makes the server unusable: ${JSON.stringify(entry)}`, () => {
    const read = entryOf(entry);
    assert.ok(read?.kind === 'unusable');
    assert.match(read.reason, expected);
  });
}

test('the variable ROOT is the folder of the host, and a relative cwd is inside the workspace', () => {
  const variable = (name: string): string => `$\{${name}}`;
  const cases: [object, string | undefined, string | undefined][] = [
    [{ cwd: variable('ROOT') }, '/r', undefined],
    [{ cwd: 'sub' }, '/p/sub', undefined],
    [{ cwd: `${variable('workspaceFolder')}/x`, args: [`${variable('ROOT')}/y`] }, '/p/x', '/r/y'],
    [{ args: [variable('env:ROOT')] }, undefined, '/other'],
  ];
  for (const [given, cwd, arg] of cases) {
    const entry = entryOf(given);
    assert.ok(entry?.kind === 'stdio');
    assert.equal(entry.cwd, cwd);
    assert.equal(entry.args[0], arg);
    // The folder of the host is no secret, the value of a variable may be one.
    assert.equal(entry.secrets.includes('/r'), false);
  }
});
