import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ListedTool, ServerListing } from '../connection/listing.ts';
import { toGroup, toUnavailableGroup } from './group.ts';

const signal = new AbortController().signal;

function listing(tools: ListedTool[], rest: Partial<ServerListing> = {}): ServerListing {
  return { tools, duplicates: [], warnings: [], ...rest };
}

test('a group of a listing', async () => {
  const schema = { type: 'object', properties: { b: {}, a: {} }, $schema: 'x' };
  const meta = { 'anthropic/alwaysLoad': true };
  const group = toGroup(
    'files',
    listing(
      [
        {
          name: 'read',
          description: 'Reads.',
          inputSchema: schema,
          _meta: meta,
          annotations: { readOnlyHint: true },
        },
      ],
      { serverInfo: { name: 'n', title: 'Files' }, instructions: 'Use me. Or not.' },
    ),
    { trusted: true },
  );
  assert.equal(group.groupId, 'mcp:files');
  assert.equal(group.displayName, 'Files');
  assert.equal(group.description, 'Use me.');
  assert.deepEqual(group.toolNames, ['read']);
  assert.deepEqual(group.toolSummaries, [{ name: 'read', description: 'Reads.' }]);
  assert.equal(group.trusted, true);
  const [tool] = await group.loader({ signal });
  assert.equal(tool?.inputSchema, schema);
  assert.deepEqual(tool?.meta, meta);
  assert.deepEqual(tool?.annotations, { readOnlyHint: true });
  assert.equal(tool?.exposure, undefined);
  assert.equal(tool?.execute, undefined);
});

test('the description of the server is used without instructions; headings are skipped', () => {
  const info = { description: 'Knows the time. Well.' };
  assert.equal(toGroup('a', listing([], { serverInfo: info }), {}).description, 'Knows the time.');
  const instructions = '# Title\n\nFirst\nline goes on. Second.';
  assert.equal(toGroup('a', listing([], { instructions }), {}).description, 'First line goes on.');
  assert.equal(toGroup('a', listing([]), {}).description, undefined);
  const long = toGroup('a', listing([], { instructions: 'x'.repeat(5000) }), {}).description;
  assert.ok(long !== undefined && long.length <= 200);
});

test('tools for apps only are hidden, and their names are not listed', async () => {
  const group = toGroup(
    'a',
    listing([
      { name: 'app', _meta: { ui: { visibility: ['app'] } } },
      { name: 'both', _meta: { ui: { visibility: ['model', 'app'] } } },
    ]),
    {},
  );
  assert.deepEqual(group.toolNames, ['both']);
  const tools = await group.loader({ signal });
  assert.deepEqual(
    tools.map((tool) => [tool.name, tool.exposure]),
    [
      ['app', 'hidden'],
      ['both', undefined],
    ],
  );
});

test('calls pass the input and the signal on and return the result as received', async () => {
  const calls: unknown[] = [];
  const result = { content: [], isError: true, extra: 1 };
  const group = toGroup('a', listing([{ name: 'do' }]), {
    callTool: (...call) => {
      calls.push(call);
      return Promise.resolve(result);
    },
  });
  const [tool] = await group.loader({ signal });
  const options = { signal, toolCallId: 'id' };
  assert.equal(await tool?.execute?.({ x: 1 }, options), result);
  assert.deepEqual(calls, [[{ name: 'do' }, { x: 1 }, options]]);
});

test('the fingerprint follows what was listed, not the order of keys', () => {
  const of = (tool: ListedTool): string | undefined =>
    toGroup('a', listing([tool]), {}).fingerprint;
  const one = of({ name: 'a', description: 'x' });
  assert.equal(one, of({ description: 'x', name: 'a' }));
  assert.notEqual(one, of({ name: 'a', description: 'y' }));
});

test('a failed server is an unavailable group whose loader says why', async () => {
  const group = toUnavailableGroup('a', { reason: 'it hangs', remedy: 'Wait.' });
  assert.deepEqual(group.unavailable, { reason: 'it hangs', remedy: 'Wait.' });
  assert.deepEqual(group.toolNames, []);
  await assert.rejects(Promise.resolve(group.loader({ signal })), {
    code: 'connection-failed',
    message: /it hangs/,
  });
});
