// test: slow
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { suite, test } from 'node:test';
import { createServerMark, hostMark } from '../../src/processes/marked-processes.ts';
import { openTransport } from '../../src/transport/transport.ts';
import { openServer } from './host.test-support.ts';
import { Processes, processesWith } from './host-processes.test-support.ts';
import { KINDS } from './server.test-support.ts';

const limited = { timeout: 60_000 };
const isLinux = process.platform === 'linux';
const linuxOnly = { ...limited, skip: !isLinux };

suite('the processes of a server end with it', { concurrency: 4 }, () => {
  for (const [kind, lines] of Object.entries(KINDS)) {
    const options = /left its group|nested/.test(kind) ? linuxOnly : limited;
    for (const how of ['close', 'kill'] as const) {
      test(`promise 40: ${kind}, ${how}`, options, async (context) => {
        const processes = await Processes.begin(context);
        const { transport, ...server } = await openServer(String(processes.port), kind, []);
        await transport.start();
        for (const line of lines) await processes.said(line);
        await server[how]();
        await processes.allGone();
      });
    }
  }

  test('a server that ends by itself', linuxOnly, async (context) => {
    const processes = await Processes.begin(context);
    const kind = 'with a child that left its group';
    const { transport, ended } = await openServer(String(processes.port), kind, []);
    await transport.start();
    await processes.said('child');
    const { from } = await processes.said(kind);
    from.destroy();
    await ended;
    await processes.allGone();
  });

  test('a server without descendants of another one keeps those', linuxOnly, async (context) => {
    const processes = await Processes.begin(context);
    const port = String(processes.port);
    const kept = await openServer(port, 'with a child that left its group', []);
    await kept.transport.start();
    await processes.said('child');
    // Their numbers begin alike, such as 1 and 10.
    for (let count = 0; count < 10; count += 1) {
      const other = await openServer(port, 'plain', []);
      await other.transport.start();
      await other.close();
    }
    // The port of the test is in their command lines.
    assert.equal(processesWith(`\0${port}\0`, 'cmdline').length, 2);
    await kept.close();
    await processes.allGone();
  });
});

test('a mark is appended to those of outer hosts', (context) => {
  const before = process.env.TOOLFOLD_STARTED_BY;
  context.after(() => {
    if (before === undefined) delete process.env.TOOLFOLD_STARTED_BY;
    else process.env.TOOLFOLD_STARTED_BY = before;
  });
  process.env.TOOLFOLD_STARTED_BY = 'outer.1;';
  const { text, environment } = createServerMark();
  assert.match(text, /^[0-9a-f]{32}\.\d+;$/);
  assert.deepEqual(environment, { TOOLFOLD_STARTED_BY: `outer.1;${text}` });
  assert.notEqual(createServerMark().text, text);
});

test('an entry cannot replace the mark', linuxOnly, async () => {
  const entry = {
    kind: 'stdio',
    command: '/bin/cat',
    args: [],
    env: new Map([['TOOLFOLD_STARTED_BY', 'own']]),
    secrets: [],
  } as const;
  const { transport, close } = await openTransport(entry);
  const before = processesWith(hostMark, 'environ').length;
  await transport.start();
  assert.equal(processesWith(hostMark, 'environ').length, before + 1);
  await close();
});

test('200 servers leave no file descriptor, listener or supervisor behind', linuxOnly, async () => {
  const entry = {
    kind: 'stdio',
    command: '/bin/cat',
    args: [],
    env: new Map(),
    secrets: [],
  } as const;
  const run = async (count: number): Promise<void> => {
    for (let done = 0; done < count; done += 1) {
      const { transport, close, ended } = await openTransport(entry);
      await transport.start();
      await close();
      await ended;
    }
  };
  const state = () => ({
    files: readdirSync('/proc/self/fd').length,
    listeners: process.listenerCount('exit') + process.listenerCount('SIGTERM'),
    supervisors: processesWith(hostMark, 'cmdline').length,
    servers: processesWith(hostMark, 'environ').length,
  });
  await run(5);
  const first = state();
  assert.equal(first.supervisors, 1);
  await run(200);
  assert.deepEqual(state(), first);
});

test('a new supervisor starts with the next server', linuxOnly, async (context) => {
  const processes = await Processes.begin(context);
  const port = String(processes.port);
  const first = await openServer(port, 'stubborn', []);
  await first.transport.start();
  await processes.said('stubborn');
  const [supervisor = 0] = processesWith(hostMark, 'cmdline');
  assert.ok(supervisor > 1);
  process.kill(supervisor, 'SIGKILL');
  // Until Node has noticed its end.
  while (exists(supervisor)) await new Promise(setImmediate);
  const second = await openServer(port, 'plain', []);
  await second.transport.start();
  await processes.said('plain');
  assert.equal(processesWith(hostMark, 'cmdline').length, 1);
  await Promise.all([first.close(), second.close()]);
  await processes.allGone();
});

function exists(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
