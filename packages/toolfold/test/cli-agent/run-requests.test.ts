import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { root } from '../cli/process.test-support.ts';
import { limited, scene } from './run.test-support.ts';

const trusted = { servers: { asker: { trusted: true } }, approvals: { mode: 'never' } };

/** A server of the SDK in a process of its own. */
const asker = {
  command: process.execPath,
  args: [join(root, 'packages/mcp/test/requests/asking-server.test-support.ts'), '2025-11-25'],
};

/** A server that asks the user although nobody was announced. */
const pushy = {
  command: process.execPath,
  args: [
    '-e',
    `const say = (message) => console.log(JSON.stringify({ jsonrpc: '2.0', ...message }));
    let call;
    require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
      const { id, method, result } = JSON.parse(line);
      if (method === 'initialize') say({ id, result: { protocolVersion: '2025-11-25',
        capabilities: { tools: {} }, serverInfo: { name: 'p', version: '1' } } });
      if (method === 'tools/list')
        say({ id, result: { tools: [{ name: 'push', inputSchema: { type: 'object' } }] } });
      if (method === 'tools/call') {
        call = id;
        say({ id: 'q', method: 'elicitation/create', params: { message: 'Your name?',
          requestedSchema: { type: 'object', properties: { name: { type: 'string' } } } } });
      }
      if (result) say({ id: call, result: { content: [{ type: 'text', text: result.action }] } });
    });`,
  ],
};

test(
  'without a terminal a question of a server is declined, and stderr says so',
  limited,
  async (context) => {
    const script = [{ calls: [{ name: 'pushy__push', arguments: {} }] }, { text: 'Done.' }];
    const { ask, folder, model } = await scene(context, script, trusted);
    const config = JSON.stringify({ mcpServers: { pushy }, toolfold: trusted });
    await writeFile(join(folder, 'toolfold.json'), config);
    const { code, stderr } = await ask('Go.');
    assert.equal(code, 0, stderr);
    assert.match(
      stderr,
      /^pushy: it asked for an answer of the user, but nobody can be asked; this was declined\.$/m,
    );
    assert.match(model.requests.at(-1)?.raw ?? '', /decline/);
  },
);

test(
  'log messages from `warning` on are lines; events have the progress too',
  limited,
  async (context) => {
    const script = [
      { calls: [{ name: 'asker__talk', arguments: {} }] },
      { text: 'Done.' },
      { calls: [{ name: 'asker__talk', arguments: {} }] },
      { text: 'Done.' },
    ];
    const { ask, folder } = await scene(context, script, trusted);
    const config = JSON.stringify({ mcpServers: { asker }, toolfold: trusted });
    await writeFile(join(folder, 'toolfold.json'), config);
    const plain = await ask('Go.');
    assert.match(plain.stderr, /^asker: \{"disk":"full"\}$/m);
    assert.doesNotMatch(`${plain.stdout}${plain.stderr}`, /for information|step 1/);
    const { stdout } = await ask('--json', 'Go.');
    const events = stdout
      .trim()
      .split('\n')
      .map((line) => {
        const { seq: _, turn: __, step: ___, at: ____, n: _____, ...event } = JSON.parse(line);
        return event;
      })
      .filter(({ type }) => type.startsWith('tool-'));
    const [call] = events.map(({ id }) => id);
    const about = { id: call, name: 'asker__talk' };
    assert.deepEqual(events.at(-1), {
      type: 'tool-log',
      ...about,
      server: 'asker',
      level: 'warning',
      text: '{"disk":"full"}',
    });
    const progress = { type: 'tool-progress', ...about, progress: 2, total: 2, message: 'step 2' };
    assert.deepEqual(events.at(-2), progress);
  },
);
