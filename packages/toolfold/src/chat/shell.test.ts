import assert from 'node:assert/strict';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, watch } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { isRunning } from '../../test/chat/chat.test-support.ts';
import { commandUi, openHost } from '../../test/chat/host.test-support.ts';
import { eventually } from '../../test/chat/tmux.test-support.ts';
import { runCommand } from './commands.ts';
import { OutputTail, Shell, shellCommandIn } from './shell.ts';

const SECRET = 'sk-hidden-0123456789';
const hide = (text: string) => text.replaceAll(SECRET, '[key]');
const folder = mkdtempSync(join(tmpdir(), 'toolfold-shell-'));
after(() => rmSync(folder, { recursive: true }));

const { SHELL } = process.env;
before(() => {
  process.env.SHELL = '/bin/sh';
});
after(() => {
  process.env.SHELL = SHELL;
});

/** The lines that a command shows in the folder, without the first, which repeats it. */
async function run(command: string, options: Partial<Parameters<Shell['run']>[1]> = {}) {
  const { signal } = new AbortController();
  const given = { folder, signal, hide, onOutput: () => {}, ...options };
  const lines = await new Shell().run(command, given);
  assert.match(lines[0] ?? '', /^\$ /);
  return lines.slice(1);
}

test('a line that begins with ! is a command, several lines are none', () => {
  for (const [text, command] of [
    ['!ls -l', 'ls -l'],
    ['! ls ', 'ls'],
    ['!', ''],
    ['!ls\nrm x', undefined],
    ['!ls\rrm x', undefined],
    ['!\nls', undefined],
    ['say !ls', undefined],
    ['/help !ls', undefined],
    ['', undefined],
  ] as const)
    assert.equal(shellCommandIn(text), command, JSON.stringify(text));
});

describe('a command of the shell', { timeout: 60_000 }, () => {
  test('shows what it writes and how it ended', async () => {
    for (const [command, lines] of [
      ['echo one; echo two', ['one', 'two', '(exit code 0']],
      ['echo wrong >&2; exit 3', ['wrong', '(exit code 3']],
      ['true', ['(exit code 0)']],
      ['nowhere-to-be-found 2>/dev/null', ['(exit code 127)']],
      ['kill -9 $$', ['(ended by SIGKILL)']],
      ['pwd', [folder, '(exit code 0']],
      // There is nothing to read, and no terminal to draw on.
      ['cat; echo read', ['read', '(exit code 0']],
      ['(: </dev/tty) 2>/dev/null || echo none', ['none', '(exit code 0']],
      ["printf '10%%\\r100%%\\n'", ['100%', '(exit code 0']],
      ["printf '\\033[31mred\\033[0m\\007\\n'", ['red', '(exit code 0']],
      ["printf 'a  b\\r\\n\\n c'", ['a  b', '', ' c', '(exit code 0']],
    ] as const) {
      const shown = await run(command);
      assert.equal(shown.length, lines.length, command);
      for (const [at, line] of lines.entries())
        assert.ok(shown[at]?.endsWith(line) || shown[at]?.startsWith(line), `${command}: ${shown}`);
    }
  });

  test('has the environment of the user', async () => {
    process.env.TOOLFOLD_TEST_MINE = 'mine';
    assert.equal((await run('echo $TOOLFOLD_TEST_MINE'))[0], 'mine');
    delete process.env.TOOLFOLD_TEST_MINE;
  });

  test('is cancelled with all that it has started', async () => {
    for (const [command, end] of [
      ['sleep 600 & echo $! >pid; wait', /^\(cancelled, ended by SIGTERM\)$/],
      // What ignores the first signal gets the second one.
      [
        "trap '' TERM; sh -c 'echo $$ >pid; while :; do sleep 1; done'",
        /^\(cancelled, ended by SIGKILL\)$/,
      ],
      // The shell may have ended, and what it left behind still holds the output.
      ['sleep 600 & echo $! >pid', /^\(cancelled, (exit code 0|ended by SIGTERM)\)$/],
    ] as const) {
      const file = join(folder, 'pid');
      rmSync(file, { force: true });
      const stop = new AbortController();
      const running = run(command, { signal: stop.signal });
      const seen = watch(folder);
      while (!existsSync(file) || readFileSync(file, 'utf8').trim() === '')
        await once(seen, 'change');
      seen.close();
      const pid = Number(readFileSync(file, 'utf8'));
      assert.ok(isRunning(pid), command);
      stop.abort();
      assert.match((await running).at(-1) ?? '', end, command);
      // A process that ends closes its output first, and is gone a moment later.
      await eventually(`the end of ${command}`, () => !isRunning(pid) || isZombie(pid));
    }
    const early = await run('sleep 600', { signal: AbortSignal.abort() });
    assert.match(early.at(-1) ?? '', /^\(cancelled, /);
  });

  test('may write without end: its last lines are kept, and secrets are hidden whole', async () => {
    const shown = await run(`yes ${SECRET} | head -n 100000`);
    assert.equal(shown.length, 202);
    assert.equal(shown[0], '… 99,800 lines before');
    assert.ok(shown.slice(1, -1).every((line) => line === '[key]'));
  });

  test('that cannot begin is refused in words', async () => {
    await assert.rejects(run(''), /There is no command\./);
    const gone = join(folder, 'gone');
    await assert.rejects(run('ls', { folder: gone }), /The folder of the session is gone/);
    process.env.SHELL = join(folder, 'no-shell');
    await assert.rejects(run('ls'), /The shell .*no-shell cannot be started: .*ENOENT/);
    process.env.SHELL = '/bin/sh';
  });
});

test('the end of an output is bounded, wherever its pieces are cut', () => {
  const text = `${'x'.repeat(70)} ${SECRET}\n`.repeat(20_000);
  for (const size of [1000, 4097, 65_536]) {
    const output = new OutputTail(hide);
    for (let at = 0; at < text.length; at += size) output.add(text.slice(at, at + size));
    assert.equal(output.dropped + output.lines.length, 20_000);
    assert.ok(output.lines.join('\n').length < 200_000);
    assert.ok(output.lines.every((line) => line === `${'x'.repeat(70)} [key]`));
  }
  const line = new OutputTail(hide);
  for (let count = 0; count < 50; count += 1) line.add('y'.repeat(10_000));
  assert.equal(line.lines.length, 1);
  // An escape sequence inside a secret hides it from nobody.
  const split = new OutputTail(hide);
  split.add(`${SECRET.slice(0, 9)}\u001B[0m${SECRET.slice(9)}`);
  assert.deepEqual(split.lines, ['[key]']);
});

describe('/add', () => {
  const added = async (command: string, message: string) => {
    await using chat = await openHost();
    const shell = new Shell();
    const { signal } = new AbortController();
    const { host } = chat;
    await shell.run(command, { folder: chat.folder, signal, hide: host.hide, onOutput: () => {} });
    assert.equal(chat.server.requests.length, 0);
    await runCommand({ ...commandUi(host), shell }, message);
    while (host.talk.state !== 'idle') await new Promise((resolve) => setTimeout(resolve, 5));
    const { messages = [] } = host.talk.agent ?? {};
    return String(messages[0]?.content);
  };

  test('sends the output of the last command, between fences that it does not hold', async () => {
    assert.equal(
      await added("echo '```'; exit 2", '/add Why?'),
      "Why?\n\nI ran this in my shell (exit code 2):\n````\n$ echo '```'; exit 2\n```\n````",
    );
    assert.match(await added('echo 1', '/add'), /^I ran this in my shell/);
  });

  test('sends no secret, not even of the command, and at most so much', async () => {
    process.env.SHELL_TEST_API_KEY = SECRET;
    after(() => delete process.env.SHELL_TEST_API_KEY);
    const sent = await added(`yes ${SECRET} | head -n 9000; echo end`, '/add x');
    assert.ok(!sent.includes(SECRET));
    assert.match(sent, /\$ yes (\S+) \| head.*\n… \d,\d\d\d lines before\n\1\n/);
    assert.match(sent, /end\n```$/);
    assert.ok(sent.length < 31_000);
  });

  test('says that nothing has run, and what a pipe does', async () => {
    await using chat = await openHost();
    const ui = commandUi(chat.host);
    await runCommand({ ...ui, shell: new Shell() }, '/add x');
    await runCommand(ui, '/add x');
    assert.match(ui.shown[0] ?? '', /No command has ended yet/);
    assert.match(ui.shown[1] ?? '', /In a pipe/);
    assert.equal(chat.server.requests.length, 0);
  });
});

/** Whether the process has ended, and nobody has asked how. */
function isZombie(pid: number): boolean {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8').includes(') Z ');
  } catch {
    return true;
  }
}
