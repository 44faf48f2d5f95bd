import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { McpServer } from '@agentclientprotocol/sdk';
import type { ServerEntry } from '@toolfold/mcp/internal/config/config.ts';
import { withClientServers } from './client-servers.ts';

const stdio = (name: string, changes: object = {}): McpServer => ({
  ...{ name, command: 'c', args: [], env: [] },
  ...changes,
});
const entry: ServerEntry = { kind: 'stdio', command: 'c', args: [], env: new Map(), secrets: [] };
const merged = (given: readonly McpServer[], configured: Record<string, ServerEntry> = {}) =>
  withClientServers(new Map(Object.entries(configured)), given, '/work');

test('servers start in the folder of the session, unless their entry says otherwise', () => {
  const { servers, remarks } = merged([stdio('b')], { a: entry, c: { ...entry, cwd: '/else' } });
  const folders = [...servers].map(([name, one]) => [name, one.kind === 'stdio' && one.cwd]);
  assert.deepEqual(folders, [
    ['a', '/work'],
    ['c', '/else'],
    ['b', '/work'],
  ]);
  assert.deepEqual(remarks, []);
});

test('of two servers with one name, the later one gets a suffix, and equal ones become one', () => {
  const other = stdio('a', { args: ['other'] });
  const third = stdio('a', { args: ['third'] });
  const { servers, remarks } = merged([stdio('a'), other, third], { a: entry });
  assert.deepEqual([...servers.keys()], ['a', 'a-editor', 'a-editor-2']);
  assert.equal(remarks.length, 2);
  assert.match(remarks[0] ?? '', /already a server a\. .*called a-editor\./);
});

test('entries: addresses, secrets, mistakes', () => {
  const header = { name: 'Authorization', value: 'Bearer swordfish-1' };
  const web = { url: 'http://127.0.0.1:1/mcp', headers: [header] };
  const { servers } = merged([
    { type: 'http', name: 'web', ...web },
    { type: 'sse', name: 'old', ...web, headers: [] },
    stdio('secret', { env: [{ name: 'API_KEY', value: 'swordfish-2' }] }),
    stdio('  ', { args: ['$HOME', `\${HOME}`] }),
    { type: 'http', name: 'bad', url: 'file:///etc', headers: [] },
    { type: 'http', name: 'worse', ...web, headers: [{ name: 'A B', value: 'x' }] },
    stdio('empty', { command: ' ' }),
    stdio('nul', { args: ['a\0'] }),
    stdio('named', { env: [{ name: 'A=B', value: 'x' }] }),
  ]);
  assert.deepEqual(
    [...servers].map(([name, { kind }]) => [name, kind]),
    [
      ['web', 'http'],
      ['old', 'sse'],
      ['secret', 'stdio'],
      ['editor', 'stdio'],
      ...['bad', 'worse', 'empty', 'nul', 'named'].map((name) => [name, 'unusable']),
    ],
  );
  const secretsOf = (name: string) => {
    const one = servers.get(name);
    return one && 'secrets' in one ? one.secrets : [];
  };
  assert.ok(secretsOf('web').includes('swordfish-1'));
  assert.ok(secretsOf('secret').includes('swordfish-2'));
  const literal = servers.get('editor');
  assert.deepEqual(literal?.kind === 'stdio' && literal.args, ['$HOME', `\${HOME}`]);
});
