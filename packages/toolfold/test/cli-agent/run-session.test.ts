// test: slow
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { suite, type TestContext, test } from 'node:test';
import { importSession } from '@toolfold/agent/internal/sessions/import-session.ts';
import { sqliteStore } from '@toolfold/agent/internal/sqlite/sqlite-store.ts';
import { type Reply, startModelServer } from '@toolfold/testing/internal/doubles/model-server.ts';
import { limited, type Scene, scene } from './run.test-support.ts';

const text = (words: string): Reply => ({ text: words });
const write = (path: string): Reply => ({
  calls: [{ name: 'files__write_file', arguments: { path, content: 'x' } }],
});

/** Begins a session with a call that needs approval. Returns its id. */
async function waiting(
  context: TestContext,
  ...more: readonly Reply[]
): Promise<Scene & { readonly id: string; readonly file: string }> {
  const setting = await scene(context, [write('new.txt'), ...more]);
  const { code, stderr } = await setting.ask('Write it', '--session', 'new');
  assert.equal(code, 4, stderr);
  assert.match(stderr, /^It waits for approval: files__write_file \{"path":"new\.txt"/m);
  const [, id = ''] = /^Session: (\S+)$/m.exec(stderr) ?? [];
  assert.match(
    stderr,
    new RegExp(
      `To allow it: .*--session ${id.slice(0, 8)} --model \\S+ --base-url \\S+ --allow files__write_file$`,
      'm',
    ),
  );
  return { ...setting, id, file: join(setting.folder, 'new.txt') };
}

/** The session as it was when its process ended: with the entries up to one of this kind. */
async function killedAt(
  kind: string,
  { folder, sessions, id }: Scene & { readonly id: string },
): Promise<string> {
  const lines = (await sessions('export', id)).stdout.trimEnd().split('\n');
  const at = lines.findLastIndex((line) => JSON.parse(line).kind === kind);
  assert.ok(at > 0, kind);
  const header = JSON.stringify({ ...JSON.parse(lines[0] ?? ''), entries: at, texts: 0 });
  const store = await sqliteStore({ folder: join(folder, 'sessions') });
  try {
    return await importSession(store, [header, ...lines.slice(1, at + 1)], { trust: true });
  } finally {
    await store.close();
  }
}

suite('run --session', () => {
  test('a session goes on with what was said before', limited, async (context) => {
    const { ask, model, sessions } = await scene(context, [text('One.'), text('Two.')]);
    const first = await ask('Hello\nthere', '--session', 'new');
    assert.deepEqual([first.code, first.stdout], [0, 'One.\n'], first.stderr);
    const [, id = ''] = /^Session: (\S+)$/m.exec(first.stderr) ?? [];
    const { stdout, stderr } = await ask('And now?', '--session', id.slice(0, 6));
    assert.equal(stdout, 'Two.\n', stderr);
    assert.doesNotMatch(stderr, /^Session: /m);
    const [before, after] = model.requests.map(({ raw }) => raw);
    for (const words of ['Hello', 'One.', 'And now?']) assert.ok(after?.includes(words), words);
    assert.ok(before && !before.includes('One.'));
    const { stdout: list } = await sessions('ls');
    assert.match(list, new RegExp(`${id.slice(0, 8)} +now +2 +done +Hello there\n`));
    const { stdout: shown } = await sessions('show', id);
    assert.match(shown, /> Hello\n> there\n[\s\S]*One\.\n[\s\S]*> And now\?\n[\s\S]*Two\./);
  });

  test('it says what differs from when it was last used', limited, async (context) => {
    const script = [text('One.'), text('Two.'), text('Three.')];
    const { ask, folder } = await scene(context, script);
    const first = await ask('Hello', '--session', 'new');
    const [, id = ''] = /^Session: (\S+)$/m.exec(first.stderr) ?? [];
    const same = await ask('And now?', '--session', id);
    assert.doesNotMatch(same.stderr, /differ|went to|Its model/);
    const file = join(folder, 'toolfold.json');
    const { mcpServers } = JSON.parse(await readFile(file, 'utf8'));
    await writeFile(file, JSON.stringify({ mcpServers: { docs: mcpServers.files } }));
    await using elsewhere = await startModelServer({ script: [text('Four.'), text('Five.')] });
    const there = elsewhere.baseUrl('anthropic');
    const { stderr, stdout } = await ask('Still?', '--session', id, '--base-url', there);
    assert.equal(stdout, 'Four.\n', stderr);
    assert.match(
      stderr,
      /^Its servers differ: files is gone \(2 tools\); docs is new \(2 tools\)\.$/m,
    );
    assert.match(stderr, /^Its requests went to http:\S+\. Now they go to http:\S+\.$/m);
    const again = await ask('Well?', '--session', id, '--base-url', there);
    assert.doesNotMatch(again.stderr, /differ|went to|Its model/);
    const other = await ask('Who?', '--session', id, '--model', 'anthropic/claude-haiku-4-5');
    assert.match(other.stderr, /^Its model was anthropic\/claude-opus-5-5\. Now it is /m);
  });

  test('an approval waits until somebody answers on a terminal', limited, async (context) => {
    const { id, file, ask, answering, sessions, model } = await waiting(context, text('Done.'));
    assert.match((await sessions('ls')).stdout, /waiting for approval of 1 call +Write it/);
    const again = await ask('--session', id);
    assert.equal(again.code, 4);
    assert.match(again.stderr, /^It waits for approval: files__write_file/m);
    assert.deepEqual([model.requests.length, existsSync(file)], [1, false]);
    const { code, stdout, stderr } = await answering(['y'], '--session', id);
    assert.deepEqual([code, stdout], [0, 'Done.\n'], stderr);
    assert.match(stderr, /Run files__write_file\?/);
    assert.ok(existsSync(file));
    const { stdout: shown } = await sessions('show', id);
    assert.match(shown, /Approval asked.*: approved, once\./);
    assert.match(shown, /State: +done/);
  });

  test('an approval that --allow covers is given', limited, async (context) => {
    const { id, file, ask } = await waiting(context, text('Done.'));
    const { code, stdout, stderr } = await ask('--session', id, '--allow', 'mcp:files/write_*');
    assert.deepEqual([code, stdout], [0, 'Done.\n'], stderr);
    assert.ok(existsSync(file));
  });

  test('an approval that the settings need no longer is given', limited, async (context) => {
    const { id, file, folder, ask } = await waiting(context, text('Done.'));
    const config = join(folder, 'toolfold.json');
    const { mcpServers } = JSON.parse(await readFile(config, 'utf8'));
    const toolfold = { approvals: { mode: 'never' } };
    await writeFile(config, JSON.stringify({ mcpServers, toolfold }));
    const { code, stdout, stderr } = await ask('--session', id);
    assert.deepEqual([code, stdout], [0, 'Done.\n'], stderr);
    assert.ok(existsSync(file));
  });

  test('a prompt goes on without what waits, and says so', limited, async (context) => {
    const { id, file, ask } = await waiting(context, text('Well.'));
    const { code, stdout, stderr } = await ask('Never mind', '--session', id);
    assert.deepEqual([code, stdout], [0, 'Well.\n'], stderr);
    assert.match(stderr, /^1 call of the turn before did not end, and will not/m);
    assert.ok(!existsSync(file));
  });

  test('wrong use and nothing to go on with: 2', limited, async (context) => {
    const { ask, sessions } = await scene(context, [text('One.')]);
    for (const [args, expected] of [
      [['--session', 'new'], /missing required argument 'prompt'/],
      [['--session', 'absent', 'Hi'], /There is no session "absent"/],
      [['--session', '', 'Hi'], /It is empty/],
    ] as const) {
      const { code, stderr } = await ask(...args);
      assert.equal(code, 2);
      assert.match(stderr, expected);
    }
    assert.match((await sessions('ls')).stderr, /No sessions/);
    const { stderr } = await ask('Hello', '--session', 'new');
    const [, id = ''] = /^Session: (\S+)$/m.exec(stderr) ?? [];
    const { code, stderr: why } = await ask('--session', id);
    assert.equal(code, 2);
    assert.match(why, /has no turn to go on with\. Give a prompt\./);
  });
});

suite('run --session after a turn whose process ended', () => {
  const cases = [
    [['r'], true, /Successfully wrote/],
    [['h', 'It is there.'], false, /It is there\./],
    [['l'], false, /outcome is unknown/],
    [['?', 'l'], false, /outcome is unknown/],
    [[], false, /outcome is unknown/],
  ] as const;
  for (const [answers, runs, expected] of cases) {
    const name = answers.join(', ') || 'the end of the input';
    test(`a call that had started is asked about: ${name}`, limited, async (context) => {
      const setting = await waiting(context, text('First.'), text('Second.'));
      await setting.ask('--session', setting.id, '--allow', 'files__write_file');
      const id = await killedAt('start', setting);
      const { folder, model, answering, sessions, file } = setting;
      assert.match((await sessions('ls')).stdout, /interrupted, 1 call unknown/);
      await rm(file);
      const { code, stdout, stderr } = await answering(answers, '--session', id);
      assert.deepEqual([code, stdout], [0, 'Second.\n'], stderr);
      assert.match(stderr, /files__write_file \{.*\nhad started when the session broke off/);
      assert.equal(existsSync(join(folder, 'new.txt')), runs);
      assert.match(model.requests.at(-1)?.raw ?? '', expected);
    });
  }

  test('nobody can be asked: it is left, and named', limited, async (context) => {
    const setting = await waiting(context, text('First.'), text('Second.'));
    await setting.ask('--session', setting.id, '--allow', 'files__write_file');
    const id = await killedAt('start', setting);
    const { code, stdout, stderr } = await setting.ask('--session', id);
    assert.deepEqual([code, stdout], [0, 'Second.\n'], stderr);
    assert.match(stderr, /^It had started, and is not run again: files__write_file/m);
    assert.match(setting.model.requests.at(-1)?.raw ?? '', /outcome is unknown/);
  });
});
