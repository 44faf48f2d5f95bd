// test: slow, first
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { suite, type TestContext, test } from 'node:test';
import { Processes, processesWith, supervisorGone } from './host-processes.test-support.ts';
import { KINDS } from './server.test-support.ts';

const limited = { timeout: 60_000 };
const isLinux = process.platform === 'linux';
const hostProgram = join(import.meta.dirname, 'host.test-support.ts');

/** Without the environment of other processes, other platforms cannot find these. */
const LINUX_ONLY = /left its group|nested|before its group/;

interface Host {
  readonly child: ChildProcess;
  readonly processes: Processes;
  /** Waits for the end of the host and checks that nothing is left of it. Resolves with how it ended. */
  ended(): Promise<unknown>;
}

async function startHost(context: TestContext, kind: string, moment: string): Promise<Host> {
  const processes = await Processes.begin(context);
  const args = [hostProgram, String(processes.port), kind, moment];
  const child = spawn(process.execPath, args, { stdio: ['pipe', 'ignore', 'ignore'] });
  context.after(() => child.kill('SIGKILL'));
  const exit = once(child, 'exit');
  child.stdin.on('error', () => {});
  const mark = (await processes.said('host ')).text.slice('host '.length);
  const ended = async (): Promise<unknown> => {
    const [code, signal] = await exit;
    await processes.allGone();
    if (isLinux) {
      await supervisorGone(mark);
      assert.deepEqual(processesWith(mark, 'environ'), []);
    }
    assert.equal(processes.count, 0);
    return signal ?? code;
  };
  return { child, processes, ended };
}

/** Waits until all processes of a server run and its host waits for this method. */
async function running(processes: Processes, kind: string, method: string): Promise<void> {
  for (const line of [...(KINDS[kind] ?? []), method]) await processes.said(line);
}

/** When the host is killed. */
const MOMENTS: Readonly<Record<string, (host: Host, kind: string) => Promise<unknown>>> = {
  'before its group is known': async () => {},
  'right after its start': async () => {},
  initialize: async ({ child, processes }, kind) => {
    await running(processes, kind, 'initialize');
    child.kill('SIGKILL');
  },
  'tools/call': async ({ child, processes }, kind) => {
    await running(processes, kind, 'tools/call');
    child.kill('SIGKILL');
  },
  close: async ({ child, processes }, kind) => {
    await running(processes, kind, 'tools/call');
    child.stdin?.write('close\n');
    await processes.said('end of input');
    child.kill('SIGKILL');
  },
};

suite('no process outlives a host that is killed', { concurrency: 8 }, () => {
  for (const kind of Object.keys(KINDS)) {
    for (const [moment, kill] of Object.entries(MOMENTS)) {
      const skip = !isLinux && LINUX_ONLY.test(`${kind} ${moment}`);
      test(`promise 40: ${kind}, ${moment}`, { ...limited, skip }, async (context) => {
        const host = await startHost(context, kind, moment);
        await kill(host, kind);
        assert.equal(await host.ended(), 'SIGKILL');
      });
    }
  }
});

/** How a host ends otherwise, and the code or signal that it then has. */
const ENDS: readonly (readonly [string, (child: ChildProcess) => unknown, unknown])[] = [
  ['process.exit', (child) => child.stdin?.write('exit\n'), 0],
  ['an uncaught error', (child) => child.stdin?.write('throw\n'), 1],
  ['SIGTERM', (child) => child.kill('SIGTERM'), 'SIGTERM'],
  ['SIGHUP', (child) => child.kill('SIGHUP'), 'SIGHUP'],
  ['SIGINT', (child) => child.kill('SIGINT'), 'SIGINT'],
  ['closing, while the supervisor runs', (child) => child.stdin?.write('close and end\n'), 0],
];

suite('no process outlives a host that ends', { concurrency: 8 }, () => {
  for (const kind of ['stubborn', 'nested']) {
    for (const [what, end, result] of ENDS) {
      const skip = !isLinux && LINUX_ONLY.test(kind);
      test(`promise 40: by ${what}, ${kind}`, { ...limited, skip }, async (context) => {
        const host = await startHost(context, kind, '');
        await running(host.processes, kind, 'tools/call');
        end(host.child);
        assert.equal(await host.ended(), result);
      });
    }
  }
});
