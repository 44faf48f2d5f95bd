// test: slow
import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { suite, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { environment, home, outcomeOf, root, run } from './process.test-support.ts';

const limited = { timeout: 30_000 };

/** The commands that read a file, with its path and the exit code where it cannot be read. */
const READING: readonly (readonly [args: (file: string) => readonly string[], code: number])[] = [
  [(file) => ['list', '--config', file], 2],
  [(file) => ['search', 'word', '--tools', file], 2],
  [(file) => ['audit', file], 2],
  [(file) => ['sessions', 'import', file], 2],
  [(file) => ['serve', '--http', '0', '--token-file', file, '--config', 'c.json'], 2],
];

const CONFIG = '{"mcpServers": {}}';

suite('a pipe in place of a file', { skip: process.platform === 'win32' }, () => {
  for (const [args, code] of READING)
    test(`of ${args('pipe').join(' ')} is refused at once`, limited, async (context) => {
      const folder = await home(context, { 'c.json': CONFIG });
      execFileSync('mkfifo', [join(folder, 'pipe')]);
      const missing = await run(folder, args('missing'));
      const outcome = await run(folder, args('pipe'));
      assert.match(outcome.stderr, /pipe cannot be read: it is not a regular file\./);
      assert.deepEqual([missing.code, outcome.code, outcome.stdout], [code, code, '']);
    });

  for (const name of ['sessions.db', 'sessions.db-wal'])
    test(`of ${name} is refused at once`, limited, async (context) => {
      const folder = await home(context);
      const file = join(folder, '.local/share/toolfold/sessions', name);
      mkdirSync(dirname(file), { recursive: true });
      if (name !== 'sessions.db') writeFileSync(join(dirname(file), 'sessions.db'), '');
      execFileSync('mkfifo', [file]);
      const env = { XDG_DATA_HOME: join(folder, '.local/share') };
      for (const args of [
        ['sessions', 'ls'],
        ['sessions', 'doctor'],
        ['sessions', 'rm', 'x'],
      ]) {
        const { code, stdout, stderr } = await run(folder, args, { env });
        assert.match(stdout + stderr, /is not a regular file/);
        assert.notEqual(code, 0);
      }
    });

  /** Starts a command by bash, which gives it a pipe for `<(…)`. */
  const byShell = (folder: string, line: string) =>
    spawn('bash', ['-c', `exec "$0" "$1" ${line}`, process.execPath, toolfold], {
      cwd: folder,
      env: environment(folder, {}),
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  const toolfold = join(root, 'packages/toolfold/bin/toolfold.js');

  test('that the shell has opened is read', limited, async (context) => {
    const folder = await home(context);
    const tool = '{"id": "a", "name": "read_file", "description": "Read a file"}';
    const config = `<(sleep 0.3; printf '%s' '${CONFIG}')`;
    for (const [line, text] of [
      [`list --config ${config}`, /no servers?/i],
      [`search read --tools <(printf '%s\\n' '${tool}')`, /read_file/],
      [`audit <(printf '{"a": ')`, /not a recorded request|no request/i],
    ] as const) {
      const { stdout, stderr } = await outcomeOf(byShell(folder, line));
      assert.match(stdout + stderr, text);
    }
  });

  for (const line of ['list --config', 'search word --tools', 'audit', 'sessions import'])
    test(
      `that never ends, at ${line}, ends with the command at a signal`,
      limited,
      async (context) => {
        const folder = await home(context);
        const child = byShell(folder, `${line} <(exec sleep 8 2>&-)`);
        const begun = performance.now();
        const ended = outcomeOf(child);
        await setTimeout(1500);
        assert.equal(child.exitCode, null);
        child.kill('SIGINT');
        const { code } = await ended;
        assert.equal(code, 130);
        assert.ok(performance.now() - begun < 6000);
      },
    );
});
