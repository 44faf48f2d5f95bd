// test: slow
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { suite, type TestContext, test } from 'node:test';
import {
  askingEntry,
  type Era,
  type Way,
} from '@toolfold/mcp/test/requests/asking-server.test-support.ts';
import { Tmux, withoutTmux } from '../chat/tmux.test-support.ts';
import { command } from '../cli/in-process.test-support.ts';
import { environment, home, root, trustFolder } from '../cli/process.test-support.ts';
import { configOf, Journal } from '../servers/scripted-server.test-support.ts';

const limited = { timeout: 60_000 };

const requestedSchema = {
  type: 'object',
  properties: { city: { type: 'string', title: 'City' }, count: { type: 'integer', default: 2 } },
  required: ['city'],
};
const requests = {
  where: {
    method: 'elicitation/create',
    params: { mode: 'form', message: 'Where to?', requestedSchema },
  },
};

/** A folder with the configuration of a server that asks. */
async function folderFor(context: TestContext, era: Era, way: Way): Promise<string> {
  const entry = await askingEntry(context, era, way);
  const asker =
    entry.kind === 'stdio'
      ? { command: entry.command, args: entry.args }
      : { url: entry.kind === 'http' ? entry.url : assert.fail(entry.kind) };
  return home(context, { 'c.json': JSON.stringify({ mcpServers: { asker } }) });
}

const ask = ['call', 'asker.ask', JSON.stringify({ requests }), '--config', 'c.json'];

suite('questions of servers in call', () => {
  for (const era of ['2025-11-25', '2026-07-28'] as const) {
    for (const way of ['stdio', 'http'] as const) {
      test(`${era}, ${way}: on a terminal they are asked`, limited, async (context) => {
        const folder = await folderFor(context, era, way);
        const answers = ['y', 'Paris', '<', 'Oslo', '', 'y'];
        const { code, stdout, stderr } = await command(folder, ask, { answers });
        assert.equal(code, 0, stderr);
        assert.match(stderr, /The server asker asks you while asker__ask runs:\n {2}Where to\?/);
        assert.match(stdout, /"action":"accept","content":\{"city":"Oslo","count":2\}/);
      });
    }
  }

  test('no, and the end of the input', limited, async (context) => {
    const folder = await folderFor(context, '2025-11-25', 'stdio');
    assert.match((await command(folder, ask, { answers: ['n'] })).stdout, /"action":"decline"/);
    assert.match((await command(folder, ask, { answers: ['y'] })).stdout, /"action":"cancel"/);
  });

  test('on a terminal a bare name is found in the lists of list', limited, async (context) => {
    const journal = await Journal.open(context);
    const tool = (name: string) => [{ name, inputSchema: { type: 'object', properties: {} } }];
    const servers = { one: journal.entry('one', tool('a')), two: journal.entry('two', tool('b')) };
    const folder = await home(context, { 'c.json': configOf(servers) });
    assert.equal(
      (await command(folder, ['list', '--config', 'c.json', '--timeout', '60'])).code,
      0,
    );
    await journal.allGone();
    const before = journal.lines.length;
    const called = await command(folder, ['call', 'a', '--config', 'c.json'], { answers: [] });
    assert.equal(called.stdout, '{}');
    await journal.allGone();
    assert.deepEqual(journal.lines.slice(before), ['start one', 'call one']);
  });

  test('in a pipe nobody is asked, and the server is told so', limited, async (context) => {
    const folder = await folderFor(context, '2025-11-25', 'stdio');
    const { stdout } = await command(folder, [
      'call',
      'asker.capabilities',
      '{}',
      '--config',
      'c.json',
    ]);
    assert.doesNotMatch(stdout, /elicitation/);
  });

  test('on a real terminal', { ...limited, skip: withoutTmux }, async (context) => {
    const folder = await folderFor(context, '2025-11-25', 'stdio');
    trustFolder(folder);
    const env = Object.fromEntries(
      Object.entries(environment(folder, {})).flatMap(([name, value]) =>
        value === undefined ? [] : [[name, value]],
      ),
    );
    const terminal = await Tmux.open(context, { columns: 100, rows: 30, folder, env });
    const program = [process.execPath, join(root, 'packages/toolfold/bin/toolfold.js'), ...ask];
    await terminal.type(program.map((word) => `'${word}'`).join(' '), 'Enter');
    await terminal.shows(/Answer\? y: yes, n: no >/);
    await terminal.type('y', 'Enter');
    await terminal.shows(/City >/);
    await terminal.type('Oslo', 'Enter');
    await terminal.shows(/count .*>/);
    await terminal.type('', 'Enter');
    await terminal.shows(/1: City: Oslo\n +2: count: 2\nSend\?/);
    await terminal.type('y', 'Enter');
    await terminal.shows(/"city":"Oslo","count":2/);
  });
});
