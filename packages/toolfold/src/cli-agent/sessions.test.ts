import assert from 'node:assert/strict';
import { chmod, mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { newOwner } from '@toolfold/agent/internal/sessions/lease.ts';
import { killedTurn, sessionsScene, turn } from '../../test/cli-agent/sessions.test-support.ts';

suite('toolfold sessions ls', () => {
  test('lists the sessions of this folder with their state, the newest change first', async (context) => {
    const { sessions, add, withStore } = await sessionsScene(context);
    await add({ id: 'one' }, ...turn('First words\nof \u001b[31mit'));
    await add({ id: 'two', title: 'My title' }, ...turn('Hello', 'approval'));
    await add({ id: 'three' }, ...killedTurn('Killed'));
    await add({ id: 'four' });
    await add({ id: 'five', folder: '/elsewhere' }, ...turn('Other'));
    await add({ id: 'six', parent: 'one' }, ...turn('A subagent'));
    await add({ id: 'seven' }, ...turn('Run'));
    const { stdout, stderr, code } = await withStore(async (store) => {
      await store.acquire('seven', newOwner());
      return sessions('ls');
    });
    assert.equal(code, 0, stderr);
    const lines = stdout.trimEnd().split('\n');
    assert.match(lines[0] ?? '', /^Session +Changed +Turns +State +Title$/);
    assert.deepEqual(
      lines.slice(1).map((line) => line.replace(/ {2,}/g, '|')),
      [
        `seven|now|1|running (process ${process.pid})|Run`,
        'four|now|0|empty',
        'three|now|1|interrupted, 1 call unknown|Killed',
        'two|now|1|waiting for approval of 1 call|My title',
        'one|now|1|done|First words of [31mit',
      ],
    );
    const all = await sessions('ls', '--all', '--json', '--limit', '2');
    assert.deepEqual(
      JSON.parse(all.stdout).sessions.map(({ id }: { id: string }) => id),
      ['seven', 'five'],
    );
    assert.match(all.stderr, /^There are more than 2 sessions; --limit shows more\.$/m);
    const other = await sessions('ls', '--folder', '/elsewhere');
    assert.match(other.stdout, /^five .* done +Other$/m);
    const none = await sessions('ls', '--folder', 'sub');
    assert.deepEqual([none.stdout, none.code], ['', 0]);
    assert.match(none.stderr, /No sessions in this folder; --all/);
  });

  test('a query finds words, also those of subagents', async (context) => {
    const { sessions, add } = await sessionsScene(context);
    await add({ id: 'one' }, ...turn('The invoice of May'));
    await add({ id: 'two' }, ...turn('Something else'));
    await add({ id: 'child', parent: 'two' }, ...turn('Look at invoices'));
    await add({ id: 'far', folder: '/elsewhere' }, ...turn('An invoice'));
    const { stdout } = await sessions('ls', '--json', 'invoi');
    const { sessions: found } = JSON.parse(stdout);
    assert.deepEqual(
      found.map(({ id, excerpt }: { id: string; excerpt: string }) => [id, excerpt]).toSorted(),
      [
        ['one', 'The invoice of May'],
        ['two', 'Look at invoices'],
      ],
    );
    assert.match((await sessions('ls', '--all', 'invoice')).stdout, /far .*An invoice/);
    assert.match((await sessions('ls', 'invoice', 'june')).stderr, /No sessions/);
  });

  test('long sessions are read from their end', async (context) => {
    const { sessions, add } = await sessionsScene(context);
    const many = Array.from({ length: 200 }, () => ({ kind: 'label', body: { text: 'x' } }));
    const [begin, ...others] = turn('Long', 'approval');
    assert.ok(begin);
    await add({ id: 'long' }, ...turn('Before'), begin, ...many, ...others);
    const { stdout } = await sessions('ls');
    assert.match(stdout, /long +now +1 +waiting for approval of 1 call +Before/);
  });
});

suite('toolfold sessions show', () => {
  test('shows the transcript, what is open, usage and relations', async (context) => {
    const { sessions, add, folder } = await sessionsScene(context);
    await add({ id: 'top' }, ...turn('Hello \u001b[31mthere'), ...turn('Again', 'approval'));
    await add({ id: 'child', parent: 'top' }, ...turn('Sub'));
    await add({ id: 'fork', forkOf: 'top' });
    const { stdout, code } = await sessions('show', 'to');
    assert.equal(code, 0);
    assert.ok(!stdout.includes('\u001b'));
    for (const part of [
      `Folder:    ${folder}`,
      'State:     waiting for approval of 1 call',
      'Subagents: child',
      'Forks:     fork',
      '> Hello there',
      'I write it.',
      'Call files__write {"path":"a\\u001b[2J"}',
      '  Written.',
      '  Approval asked (it writes).',
      'End: done',
      'Open: 1 call',
      'To answer: toolfold run --session top',
      '2 requests: 2,400 tokens sent, 2,000 of them read from the cache; 60 received.',
    ]) {
      assert.ok(stdout.includes(part), `${part}\n${stdout}`);
    }
    const { stdout: json } = await sessions('show', 'top', '--json');
    const shown = JSON.parse(json);
    assert.deepEqual(
      [shown.session.id, shown.state, shown.children, shown.forks, shown.usage.requests],
      ['top', { kind: 'waiting', calls: 1 }, ['child'], ['fork'], 2],
    );
    assert.match((await sessions('show', 'chi')).stdout, /Parent: +top/);
  });

  test('the command to answer has the model and the address of the last turn', async (context) => {
    const { sessions, add } = await sessionsScene(context);
    const settings = (body: object) => ({ kind: 'settings', body: { ...body } });
    const address = 'http://127.0.0.1:8080/v1';
    await add(
      { id: 'local' },
      settings({ model: 'openai/first', address: 'http://127.0.0.1:1' }),
      settings({ model: 'openai/second', address }),
      ...turn('Go', 'approval'),
    );
    await add({ id: 'usual' }, settings({ model: 'openai/first' }), ...turn('Go', 'approval'));
    const commandOf = async (id: string) =>
      /^To answer: (.*)$/m.exec((await sessions('show', id)).stdout)?.[1];
    const flags = `--model openai/second --base-url ${address}`;
    assert.equal(await commandOf('local'), `toolfold run --session local ${flags}`);
    // A session keeps its model.
    assert.equal(await commandOf('usual'), 'toolfold run --session usual');
  });

  test('an unknown or ambiguous id: 2', async (context) => {
    const { sessions, add } = await sessionsScene(context);
    await add({ id: 'a1' });
    await add({ id: 'a2' });
    const unknown = await sessions('show', 'b');
    assert.equal(unknown.code, 2);
    assert.match(unknown.stderr, /There is no session "b" in .*sessions\.db/);
    const both = await sessions('show', 'a');
    assert.equal(both.code, 2);
    assert.match(both.stderr, /ids of 2 sessions begin with "a": a2, a1\. Give more/);
    assert.equal((await sessions('show', '')).code, 2);
    assert.equal((await sessions('nothing')).code, 2);
    assert.match((await sessions('show')).stderr, /See toolfold sessions show --help/);
  });
});

suite('toolfold sessions export and import', () => {
  test('an exported session is imported whole, with its words', async (context) => {
    const { sessions, add, folder, withStore } = await sessionsScene(context);
    await add({ id: 'top', title: 'T' }, ...turn('Hello \u0085there'));
    await add({ id: 'child', parent: 'top' }, ...turn('Sub'));
    const file = join(folder, 'x.jsonl');
    const written = await sessions('export', 'top', '-o', file);
    assert.deepEqual([written.code, written.stdout], [0, ''], written.stderr);
    assert.equal((await stat(file)).mode & 0o777, 0o600);
    const text = await readFile(file, 'utf8');
    assert.equal((await sessions('export', 'top')).stdout, text);
    assert.ok(!text.includes('\u0085'));
    const again = await sessions('export', 'top', '-o', file);
    assert.equal(again.code, 2);
    assert.match(again.stderr, /There is a file .*x\.jsonl already\. .*--force/);
    await writeFile(file, 'old');
    assert.equal((await sessions('export', 'top', '-o', file, '--force')).code, 0);
    assert.equal(await readFile(file, 'utf8'), text);
    const nowhere = await sessions('export', 'top', '-o', join(folder, 'no', 'x'));
    assert.equal(nowhere.code, 2);
    assert.deepEqual((await readdir(folder)).toSorted(), ['data', 'x.jsonl']);
    const copied = await sessions('import', file);
    assert.match(copied.stderr, /^Imported a session: T\.$/m);
    const id = copied.stdout.trim();
    assert.notEqual(id, 'top');
    assert.equal((await withStore((store) => store.list({ parent: id }))).length, 1);
    assert.equal((await sessions('rm', 'top', '--yes')).code, 0);
    assert.match((await sessions('ls', 'hello')).stdout, /T: .*Hello/);
    const kept = await sessions('import', file, '--json');
    assert.equal(JSON.parse(kept.stdout).id, 'top');
  });

  test('stdin is read; a wrong file and a newer one are wrong use, and create nothing', async (context) => {
    const { sessions, add, folder } = await sessionsScene(context);
    await add({ id: 'top' }, ...turn('Hello'));
    const { stdout: text } = await sessions('export', 'top');
    await sessions('rm', 'top', '--yes');
    const file = join(folder, 'x.jsonl');
    for (const [content, message] of [
      [text.replace('"version":1', '"version":9'), /newer version of Toolfold wrote this export/],
      [text.slice(0, -20), /Line \d+ of the export is wrong: it is no JSON/],
      ['', /Line 1 of the export is wrong/],
    ] as const) {
      await writeFile(file, content);
      const { code, stderr } = await sessions('import', file);
      assert.equal(code, 2);
      assert.match(stderr, message);
    }
    const absent = await sessions('import', 'absent.jsonl');
    assert.equal(absent.code, 2);
    assert.match(absent.stderr, /absent\.jsonl cannot be read: ENOENT/);
    const empty = await sessions('import', '-');
    assert.equal(empty.code, 2);
    assert.match((await sessions('ls', '--all')).stderr, /No sessions/);
  });

  test('Markdown is a transcript', async (context) => {
    const { sessions, add } = await sessionsScene(context);
    await add({ id: 'top', title: 'T' }, ...turn('Hello'));
    const { stdout } = await sessions('export', 'top', '--format', 'markdown');
    assert.match(stdout, /^# T\n\n- Session: top\n/);
    assert.match(stdout, /### User\n\n```text\nHello\n```/);
  });
});

suite('toolfold sessions rm', () => {
  test('asks on a terminal, says what goes with it, and refuses elsewhere', async (context) => {
    const { sessions, answering, add } = await sessionsScene(context);
    await add({ id: 'top', title: 'T' }, ...turn('Hello'));
    await add({ id: 'child', parent: 'top' }, ...turn('Sub'));
    const refused = await sessions('rm', 'top');
    assert.equal(refused.code, 2);
    assert.match(refused.stderr, /^top {2}T, with 1 session of subagents$/m);
    assert.match(refused.stderr, /Nothing was removed\. .*--yes/);
    const no = await answering(['n'], 'rm', 'top');
    assert.deepEqual([no.code, /Nothing was removed/.test(no.stderr)], [0, true]);
    const unknown = await sessions('rm', 'top', 'absent', '--yes');
    assert.equal(unknown.code, 2);
    assert.match((await sessions('ls')).stdout, /^top /m);
    const yes = await answering(['y'], 'rm', 'top', 'top');
    assert.match(yes.stderr, /Remove 1 session\? \[y\/N\] Removed 1 session\./);
    assert.match((await sessions('ls')).stderr, /No sessions/);
    assert.equal((await sessions('show', 'child')).code, 2);
  });

  test('a session in use stays: 1', async (context) => {
    const { sessions, add, withStore } = await sessionsScene(context);
    await add({ id: 'busy' });
    await add({ id: 'idle' });
    const { code, stderr } = await withStore(async (store) => {
      await store.acquire('busy', newOwner());
      return sessions('rm', 'busy', 'idle', '--yes');
    });
    assert.equal(code, 1);
    assert.match(stderr, /process \d+ on .* writes the session "busy"[\s\S]*Removed 1 session\./);
  });
});

suite('toolfold sessions', () => {
  test('TOOLFOLD_SESSIONS names another folder', async (context) => {
    const { add, sessions, folder, place } = await sessionsScene(context);
    await add({ id: 'top' });
    const { command } = await import('../../test/cli/in-process.test-support.ts');
    const env = { TOOLFOLD_SESSIONS: place };
    const other = await command(folder, ['sessions', 'show', 'top'], { env });
    assert.equal(other.code, 0, other.stderr);
    await mkdir(join(folder, 'empty'));
    const none = await command(folder, ['sessions', 'ls', '--all'], {
      env: { TOOLFOLD_SESSIONS: 'empty' },
    });
    assert.match(none.stderr, /No sessions/);
    assert.ok((await readdir(join(folder, 'empty'))).includes('sessions.db'));
    assert.match((await sessions('ls', '--help')).stdout, /^Usage: toolfold sessions ls/);
  });

  test('a newer file is left as it is: 2', async (context) => {
    const { add, sessions, withStore, place } = await sessionsScene(context);
    await add({ id: 'top' });
    await withStore(async () => {});
    const file = join(place, 'sessions.db');
    const bytes = await readFile(file);
    bytes.writeUInt32BE(99, 60);
    await writeFile(file, bytes);
    const { code, stderr } = await sessions('ls');
    assert.equal(code, 2);
    assert.match(stderr, /version 99.*Update Toolfold/);
    assert.deepEqual(await readFile(file), bytes);
  });
});

suite('toolfold sessions doctor', () => {
  test('0 where all is well or repaired, 1 for problems', async (context) => {
    const { add, sessions, place } = await sessionsScene(context);
    const none = await sessions('doctor');
    assert.deepEqual([none.code, none.stderr], [0, '']);
    assert.match(none.stdout, /^file {2}ok {2}There are no sessions in .* yet\.\n$/);
    await add({ id: 'top' }, ...turn('Hello'));
    const well = await sessions('doctor');
    assert.equal(well.code, 0, well.stdout);
    assert.match(well.stdout, /^integrity +ok +The file is whole\.$/m);
    await chmod(place, 0o755);
    const open = await sessions('doctor');
    assert.equal(open.code, 1);
    assert.match(open.stdout, /^permissions +problem +Other users may .* --repair/m);
    assert.equal((await sessions('doctor', '--repair')).code, 0);
    const { findings } = JSON.parse((await sessions('doctor', '--json')).stdout);
    assert.equal(findings[0].state, 'ok');
  });
});
