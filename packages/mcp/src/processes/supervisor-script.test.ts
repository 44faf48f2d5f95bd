// test: slow
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { suite, type TestContext, test } from 'node:test';
import { SUPERVISOR_SCRIPT } from './supervisor.ts';

const limited = { timeout: 30_000 };
const isLinux = process.platform === 'linux';
/** The shells of this machine: one path of each. */
const shells = [...new Set(['sh', 'bash', 'busybox', 'zsh'].map((name) => `/bin/${name}`))].filter(
  (path) => existsSync(path),
);

/** Prints a line when it is ready. Ends with its input, so that nothing is left if this process is killed. */
const running = `process.stdin.on('end', () => process.exit()).resume(); console.log('ready');`;

/** A process that ignores SIGTERM, so that only SIGKILL ends it. */
const stubborn = `process.on('SIGTERM', () => {}); ${running}`;

/** A process that ends at SIGTERM with code 7. */
const polite = `process.on('SIGTERM', () => process.exit(7)); ${running}`;

/** Starts a process in a group of its own. `mark` is set in its environment. */
async function start(context: TestContext, source: string, mark = ''): Promise<ChildProcess> {
  const child = spawn(process.execPath, ['-e', source], {
    detached: true,
    env: { OTHER: 'a\nb', TOOLFOLD_STARTED_BY: `${mark}1;` },
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  context.after(() => child.kill('SIGKILL'));
  await once(child.stdout, 'data');
  return child;
}

function supervise(shell: string, mark: string, path = process.env.PATH): ChildProcess {
  const name = shell.endsWith('busybox') ? ['sh'] : [];
  return spawn(shell, [...name, '-c', SUPERVISOR_SCRIPT, 'toolfold-supervisor', mark], {
    detached: true,
    env: { PATH: path ?? '' },
    stdio: ['pipe', 'ignore', 'ignore'],
  });
}

function newMark(): string {
  return `${randomBytes(16).toString('hex')}.`;
}

async function endOf(child: ChildProcess): Promise<unknown> {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  return child.signalCode ?? child.exitCode;
}

/** The output of a program that runs as the first process of a PID namespace; empty if that is refused. */
async function outputOf(program: string): Promise<string> {
  const namespace = ['--user', '--map-root-user', '--pid', '--fork', '--mount-proc'];
  const child = spawn('unshare', [...namespace, process.execPath, program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  child.on('error', () => {});
  return text(child.stdout);
}

suite('the program of the supervisor', { concurrency: 4 }, () => {
  for (const shell of shells) {
    for (const [what, path] of [
      ['with', process.env.PATH],
      ['without', '/nowhere'],
    ] as const) {
      test(`${shell}, ${what} grep and sleep`, limited, async (context) => {
        const mark = newMark();
        const [group, other, left, unmarked] = await Promise.all([
          start(context, stubborn),
          start(context, stubborn),
          start(context, stubborn, mark),
          start(context, stubborn, newMark()),
        ]);
        const supervisor = supervise(shell, mark, path);
        supervisor.stdin?.end(`+ ${group.pid}\n+ ${other.pid}\n- ${other.pid}\nx\n+ 1\n+ 0\n+\n`);
        assert.equal(await endOf(supervisor), 0);
        assert.equal(await endOf(group), 'SIGKILL');
        if (isLinux) assert.equal(await endOf(left), 'SIGKILL');
        for (const child of [other, unmarked]) {
          assert.equal(child.exitCode ?? child.signalCode, null);
          assert.ok(child.kill(0));
        }
      });
    }

    test(
      `promise 40: ${shell}: SIGTERM comes first, signals do not end it`,
      limited,
      async (context) => {
        const mark = newMark();
        const group = await start(context, polite);
        const supervisor = supervise(shell, mark);
        // More than the pipe holds, so the supervisor has begun to read.
        const lines = '?\n'.repeat(300_000);
        await new Promise((resolve) => supervisor.stdin?.write(lines, resolve));
        supervisor.stdin?.write(`+ ${group.pid}\n`);
        for (const signal of ['SIGHUP', 'SIGINT', 'SIGTERM'] as const) supervisor.kill(signal);
        supervisor.stdin?.end();
        assert.equal(await endOf(supervisor), 0);
        assert.equal(await endOf(group), 7);
      },
    );

    test(`${shell}: a mark of the wrong length is refused`, limited, async (context) => {
      const group = await start(context, stubborn);
      for (const mark of ['', 'a', 'OTHER']) {
        const supervisor = supervise(shell, mark);
        supervisor.stdin?.on('error', () => {}).end(`+ ${group.pid}\n`);
        assert.equal(await endOf(supervisor), 2);
      }
      assert.ok(group.kill(0));
    });
  }

  test('a process with the number of an ended group is kept', limited, async (context) => {
    const isAllowed = (await outputOf('--version')).startsWith('v');
    if (!isAllowed) return context.skip('it needs the right to create a PID namespace (Linux)');
    const output = await outputOf(
      join(import.meta.dirname, '../../test/processes/reused-number.test-support.ts'),
    );
    assert.equal(output, 'alive\n');
  });
});
