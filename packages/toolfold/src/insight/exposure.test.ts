import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, type TestContext, test } from 'node:test';
import type { AgentFold } from '@toolfold/agent/internal/options/options.ts';
import { createSession, openSession } from '@toolfold/agent/internal/sessions/session.ts';
import { memoryStore } from '@toolfold/agent/internal/sqlite/sqlite-store.ts';
import { begin } from '@toolfold/agent/test/agent.test-support.ts';
import { createFold } from '@toolfold/ai-sdk';
import { foldOptions } from '@toolfold/ai-sdk/test/folds.test-support.ts';
import { DISPATCH } from '@toolfold/ai-sdk/test/scenarios.test-support.ts';
import type { ExposureRules } from '@toolfold/core/internal/registry/view.ts';
import type { StrategyChoice } from '@toolfold/core/internal/tool/strategies.ts';
import { type Reply, startModelServer } from '@toolfold/testing/internal/doubles/model-server.ts';
import { ExposureFile } from './exposure.ts';
import { PromptReader } from './prompts.ts';
import { toolMap } from './tool-map.ts';

const model = 'anthropic/claude-sonnet-4-5';

const foldWith = (strategy: StrategyChoice) => (exposure: ExposureRules) => {
  const { groups, ...options } = foldOptions([]);
  return createFold({
    ...options,
    groups: groups.slice(0, 2),
    strategy,
    exposure,
  }) as unknown as AgentFold;
};

function fileIn(context: TestContext, text?: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'toolfold-'));
  context.after(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'toolfold.json');
  if (text !== undefined) writeFileSync(file, text);
  return file;
}

const TEXT = `{
  // The servers
  "mcpServers": { "a": { "command": "x", "env": { "TOKEN": "sk-secret" } } },
  "toolfold": { "exposure": { "linear__*": "hidden" /* sk-secret */ }, "currency": "EUR" }
}
`;

describe('a change of exposure', () => {
  for (const strategy of ['eager', 'dispatch', 'lazy'] as const)
    for (const change of [
      { 'github__*': 'hidden' },
      { github__create_issue: 'inline' },
      { 'nobody__*': 'hidden' },
    ] as readonly ExposureRules[])
      test(`${JSON.stringify(change)} under ${strategy} brings what is foreseen`, async (context) => {
        await using server = await startModelServer({ script: () => ({ text: 'Ok.' }) });
        const store = memoryStore();
        const session = await createSession(store, {});
        const instructions = 'Be brief. '.repeat(200);
        const turn = async (exposure: ExposureRules, kept: boolean) => {
          const of = kept ? await openSession(store, session.id) : await createSession(store, {});
          const { talk } = begin(server, {
            fold: { strategy, exposure },
            agent: { session: of, instructions },
          });
          for await (const event of talk.send('Go.'))
            if (event.type === 'end') assert.equal(event.reason, 'done');
          const prompts = await new PromptReader(store).read(of);
          const reader = new PromptReader(store);
          await reader.read(of);
          return reader.sent(prompts.at(-1) ?? assert.fail()) ?? assert.fail();
        };
        const { prompt: last } = await turn({}, true);
        const file = new ExposureFile({
          file: fileIn(context),
          exposure: {},
          foldWith: foldWith(strategy),
        });
        const query = { model, role: null, strategy: undefined, last };
        const { before, after, again, keepsPrefix } = await file.preview(change, query);
        const fresh = (await turn(change, false)).prompt;
        const heldBy = ({ pieces }: typeof fresh) =>
          pieces.reduce(
            (sum, { label, tokens }) => sum + (/tools|catalog/.test(label) ? tokens : 0),
            0,
          );
        assert.deepEqual([before, after], [heldBy(last), heldBy(fresh)]);
        const next = await turn(change, true);
        assert.equal(next.prompt.mark === undefined, keepsPrefix);
        const added = next.segments
          .slice(next.before.length)
          .reduce((sum, { tokens }) => sum + tokens, 0);
        assert.equal(again, keepsPrefix ? 0 : next.prompt.total - added);
      });

  const query = { model, role: null, strategy: undefined, last: undefined };
  const open = (file: string, exposure: ExposureRules = {}) =>
    new ExposureFile({ file, exposure, foldWith: foldWith('dispatch') });

  test('is shown by its rules alone, written with the rest of the file, and undone exactly', async (context) => {
    for (const text of [TEXT, `\uFEFF${TEXT.replaceAll('\n', '\r\n')}`]) {
      const path = fileIn(context, text);
      const file = open(path, { 'linear__*': 'hidden' });
      const change = { 'linear__*': 'default', github__explode: 'hidden' } as const;
      const { diff, base } = await file.preview(change, query);
      assert.deepEqual(
        diff.map(({ mark, line }) => mark + line),
        [' {', '-  "linear__*": "hidden"', '+  "github__explode": "hidden"', ' }'],
      );
      assert.equal(readFileSync(path, 'utf8'), text);
      assert.equal(file.canUndo, false);
      file.apply(change, base);
      const after = readFileSync(path, 'utf8');
      assert.match(after, /"github__explode": "hidden"/);
      assert.match(after, /sk-secret.*sk-secret \*\//s);
      assert.equal(after.startsWith('\uFEFF'), text.startsWith('\uFEFF'));
      assert.equal(file.canUndo, true);
      file.undo();
      assert.equal(readFileSync(path, 'utf8'), text);
      assert.equal(file.canUndo, false);
      file.undo();
    }
  });

  test('is refused where the file has changed, and so is undoing it', async (context) => {
    const path = fileIn(context, TEXT);
    const file = open(path);
    const change = { github__explode: 'hidden' } as const;
    const { base } = await file.preview(change, query);
    writeFileSync(path, `${TEXT} `);
    assert.throws(() => file.apply(change, base), {
      code: 'invalid-config',
      message: /has changed/,
    });
    assert.equal(readFileSync(path, 'utf8'), `${TEXT} `);
    file.apply(change, (await file.preview(change, query)).base);
    const after = `${readFileSync(path, 'utf8')} `;
    writeFileSync(path, after);
    assert.throws(() => file.undo(), { code: 'invalid-config', message: /has changed/ });
    assert.equal(readFileSync(path, 'utf8'), after);
  });

  test('makes a file where there is none, and takes it away again', async (context) => {
    const path = fileIn(context);
    const file = open(path);
    const { base } = await file.preview({ 'github__*': 'hidden' }, query);
    file.apply({ 'github__*': 'hidden' }, base);
    assert.deepEqual(JSON.parse(readFileSync(path, 'utf8')).toolfold.exposure, {
      'github__*': 'hidden',
    });
    file.undo();
    assert.equal(existsSync(path), false);
  });

  test('is refused for a file that has no place for it, or is malformed', async (context) => {
    const malformed = fileIn(context, '{ "toolfold": { "exposure": 1 } }');
    assert.throws(() => open(malformed), { code: 'invalid-config' });
  });

  test('counts with the rules of other files', async (context) => {
    const path = fileIn(context, TEXT);
    const alone = await open(path, { 'linear__*': 'hidden' }).preview(
      { 'linear__*': 'default' },
      query,
    );
    const all = { 'linear__*': 'hidden', 'github__*': 'hidden' } as const;
    const beside = await open(path, all).preview({ 'linear__*': 'default' }, query);
    assert.ok(beside.before < alone.before && beside.after < alone.after);
    assert.ok(alone.before < alone.after);
  });
});

test('the map has each tool with its state, tokens, calls, and its last use over all sessions', async () => {
  const store = memoryStore();
  const query = { model, role: null, strategy: undefined };
  const turn = async (calls: number) => {
    const call: Reply = { calls: [DISPATCH.call('github__list_issues', {})] };
    const script = [
      { calls: [DISPATCH.load('mcp:github')] },
      ...Array(calls).fill(call),
      { text: 'Ok.' },
    ];
    await using server = await startModelServer({ script });
    const session = await createSession(store, {});
    const exposure = { linear__create_issue: 'hidden' } as const;
    const { talk, fold } = begin(server, { fold: { exposure }, agent: { session } });
    for await (const event of talk.send('Go.'))
      if (event.type === 'end') assert.equal(event.reason, 'done');
    const reader = new PromptReader(store);
    await reader.read(session);
    return { fold, calls: reader.calls, session };
  };
  const first = await turn(1);
  const { fold, calls, session } = await turn(2);
  const map = new Map((await toolMap({ fold, query, calls, store })).map((one) => [one.name, one]));
  const used = map.get('github__list_issues');
  const start = session.entries.findLast(
    ({ kind, body }) => kind === 'start' && body.name === used?.name,
  );
  assert.deepEqual(
    { ...used, tokens: 0, why: '' },
    {
      ...{ name: 'github__list_issues', server: 'github', description: 'list_issues in github.' },
      ...{ status: 'deferred', why: '', tokens: 0, calls: 2, lastUse: start?.at },
    },
  );
  assert.ok(used?.tokens);
  const { lastUse: _, ...hidden } = map.get('linear__create_issue') ?? assert.fail();
  assert.deepEqual([hidden.status, hidden.calls], ['hidden', 0]);
  assert.match(hidden.why, /rule "linear__create_issue"/);
  assert.equal('server' in (map.get('ask') ?? assert.fail()), false);
  // Another session has used it.
  const elsewhere = await toolMap({ fold, query, calls: new Map(), store });
  const other = elsewhere.find(({ name }) => name === used.name);
  assert.deepEqual([other?.calls, other?.lastUse], [0, start?.at]);
  assert.ok(first.calls.get('github__list_issues') === 1);
  const unknown = await toolMap({ fold, query, calls, store: {} });
  assert.ok(unknown.every((one) => !('lastUse' in one)));
});
