import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { describe, test } from 'node:test';
import { createSession, type Session } from '@toolfold/agent/internal/sessions/session.ts';
import { memoryStore } from '@toolfold/agent/internal/sqlite/sqlite-store.ts';
import { startModelServer } from '@toolfold/testing/internal/doubles/model-server.ts';
import { home } from '../../test/cli/process.test-support.ts';
import { Conversation } from '../conversations/conversation.ts';
import { openConversation } from '../conversations/open-conversation.ts';
import { Keys } from '../models/model.ts';
import type { AgentFlags } from '../terminal/flags.ts';
import { openTerminal } from '../terminal/terminal.ts';
import { type PartialChoices, Settings } from './settings.ts';

/** Where a setting may come from. */
type Source = 'chosen' | 'flags' | 'kept' | 'standing flags' | 'configuration';

/** All sources, the strongest first. Flags are either those of this start or standing ones. */
const ORDER: readonly Source[] = ['chosen', 'flags', 'kept', 'standing flags', 'configuration'];

const NAMES = ['role', 'model', 'strategy', 'routing'] as const;
type Name = (typeof NAMES)[number];

/** A value of a setting for each source. */
const VALUES: Readonly<Record<Name, Readonly<Partial<Record<Source, string>>>>> = {
  // The configuration names no role.
  role: { chosen: 'r1', flags: 'r2', kept: 'r3', 'standing flags': 'r4' },
  model: {
    ...{ chosen: 'local/m1', flags: 'local/m2', kept: 'local/m3' },
    ...{ 'standing flags': 'local/m4', configuration: 'local/m5' },
  },
  strategy: {
    ...{ chosen: 'eager', flags: 'dispatch', kept: 'inject' },
    ...{ 'standing flags': 'lazy', configuration: 'bridge' },
  },
  routing: {
    ...{ chosen: 'off', flags: 'narrow', kept: 'preload' },
    ...{ 'standing flags': 'off', configuration: 'narrow' },
  },
};

/** What a session uses if this setting comes from these sources. */
function used(name: Name, sources: readonly Source[]): unknown {
  const of = (source: Source) => (sources.includes(source) ? VALUES[name][source] : undefined);
  const [flag, standing] = [of('flags'), of('standing flags')];
  const settings = new Settings({
    set: {
      modelName: () => (name === 'model' ? of('configuration') : undefined),
      settings: name === 'model' ? {} : ({ [name]: of('configuration') } as object),
    },
    flags: { [name]: flag ?? standing } as AgentFlags,
    areFlagsStanding: standing !== undefined,
  });
  const body = { role: null, ...(of('kept') === undefined ? {} : { [name]: of('kept') }) };
  const isKept = sources.includes('kept');
  settings.follow(isKept ? entries({ settings: body }) : [], false);
  const chosen = of('chosen');
  if (chosen !== undefined) settings.choose({ [name]: chosen } as PartialChoices);
  return name === 'model' ? settings.modelOf() : (settings[name] ?? undefined);
}

function entries(bodies: Readonly<Record<string, object>>): Session['entries'] {
  const all = Object.entries(bodies).map(([kind, body]) => ({ kind, body }));
  return all as unknown as Session['entries'];
}

describe('of two sources of a setting, the stronger one holds', () => {
  for (const name of NAMES)
    for (const [at, strong] of ORDER.entries())
      for (const weak of ORDER.slice(at + 1)) {
        // There is one command line.
        if (strong === 'flags' && weak === 'standing flags') continue;
        const [first, second] = [VALUES[name][strong], VALUES[name][weak]];
        if (first === undefined) continue;
        test(`${name}: ${strong} before ${weak}`, () => {
          assert.equal(used(name, [strong, weak]), first);
          assert.equal(used(name, [strong]), first);
          if (second !== undefined) assert.equal(used(name, [weak]), second);
        });
      }
});

describe('a session', () => {
  const all = { role: 'slow', model: 'local/other', strategy: 'dispatch', routing: 'narrow' };
  const none = { modelName: () => 'local/any', settings: {} };
  test('keeps its choices, and whether tools are on', () => {
    const settings = new Settings({ set: none, flags: {} });
    settings.choose({ role: 'fast', areToolsOn: true });
    settings.follow(entries({ settings: all, tools: { on: false } }), false);
    assert.deepEqual(settings.choices, { ...all, areToolsOn: false });
  });

  test('that goes on from another one has what held there, with tools on', () => {
    for (const fork of [entries({ settings: { role: null } }), []]) {
      const settings = new Settings({ set: none, flags: { routing: 'off' } });
      settings.follow(entries({ settings: all, tools: { on: false } }), false);
      settings.choose({ strategy: 'eager' });
      settings.follow(fork, true);
      const { role, model, strategy, routing, areToolsOn } = settings.choices;
      assert.deepEqual(
        [role, model, strategy, routing, areToolsOn],
        ['slow', 'local/other', 'eager', 'off', true],
      );
    }
  });

  test('that used the strategy of its model follows the model', () => {
    const models = { 'local/one': { strategy: 'bridge' }, 'local/two': { strategy: 'lazy' } };
    const set = { settings: { models } as object, modelName: () => 'local/one' };
    const settings = new Settings({ set, flags: {} });
    const kept = { role: null, model: 'local/one', strategy: 'bridge' };
    settings.follow(entries({ settings: kept }), false);
    assert.equal(settings.strategy, 'bridge');
    settings.choose({ model: 'local/two' });
    assert.equal(settings.strategy, 'lazy');
    // The user had chosen another one, or the configuration has changed since.
    settings.follow(entries({ settings: { ...kept, strategy: 'dispatch' } }), false);
    settings.choose({ model: 'local/two' });
    assert.equal(settings.strategy, 'dispatch');
  });

  test('knows the window of the model that is chosen', () => {
    const models = { 'local/one': { contextWindow: 1000 } };
    const set = { settings: { models } as object, modelName: () => 'local/one' };
    const settings = new Settings({ set, flags: {} });
    assert.equal(settings.contextWindow, 1000);
    settings.choose({ model: 'local/two' });
    assert.equal(settings.contextWindow, undefined);
  });

  test('that used the model of its role follows the role', () => {
    const roles: Readonly<Record<string, string>> = { slow: 'local/slow', fast: 'local/fast' };
    const set = { settings: {}, modelName: (role?: string) => roles[role ?? ''] };
    const settings = new Settings({ set, flags: {} });
    settings.follow(entries({ settings: { role: 'slow', model: 'local/slow' } }), false);
    settings.choose({ role: 'fast' });
    assert.equal(settings.modelOf(), 'local/fast');
  });
});

test('the model follows the role until the user chooses one', async (context) => {
  await using server = await startModelServer({ script: () => ({ text: 'Yes.' }) });
  const roles = { slow: { model: 'local/slow' }, fast: { model: 'local/fast' } };
  const config = join(await home(context), 'toolfold.json');
  await writeFile(config, JSON.stringify({ mcpServers: {}, toolfold: { roles } }));
  const stream = new PassThrough();
  const streams = { stdin: stream, stdout: stream, stderr: stream };
  const { signal } = new AbortController();
  const { conversation, settings, fold, close } = await openConversation({
    flags: { role: 'slow', baseUrl: server.baseUrl('openai-chat'), config },
    ...{ store: memoryStore(), folder: '/work', keys: new Keys({}), note: () => {} },
    context: { terminal: openTerminal(streams, () => {}), signal },
    ...{ asking: undefined, elicitation: undefined, areLogsShown: false },
  });
  context.after(close);
  await conversation.send('Hello');
  await conversation.choose({ role: 'fast' });
  await conversation.send('Hello');
  await conversation.choose({ model: 'local/own' });
  await conversation.choose({ role: 'slow' });
  await conversation.send('Hello');
  await conversation.open(undefined);
  await conversation.send('Hello');
  await conversation.fork();
  await conversation.send('Hello');
  const asked = server.requests.map(({ body }) => body.model);
  assert.deepEqual(asked, ['slow', 'fast', 'own', 'own', 'own']);
  await assert.rejects(conversation.choose({ role: 'nobody' }), { code: 'unknown-role' });
  assert.equal(settings.role, 'slow');
  // A session keeps results, which its model can read again after a compaction.
  const { tools } = fold().layer.known();
  assert.deepEqual(
    tools.map(({ name }) => name),
    ['recall_result'],
  );
});

test('the strategy follows the model until the user chooses one, also in a later process', async (context) => {
  await using server = await startModelServer({ script: () => ({ text: 'Yes.' }) });
  const models = { 'local/one': { strategy: 'bridge' }, 'local/two': { strategy: 'lazy' } };
  const config = join(await home(context), 'toolfold.json');
  const toolfold = { strategy: 'eager', models };
  await writeFile(config, JSON.stringify({ mcpServers: {}, toolfold }));
  const stream = new PassThrough();
  const streams = { stdin: stream, stdout: stream, stderr: stream };
  const { signal } = new AbortController();
  const store = memoryStore();
  const started: string[] = [];
  const shown: unknown[] = [];
  const opened = async (model: string, id?: string) => {
    const { conversation, settings, close } = await openConversation({
      flags: { model, baseUrl: server.baseUrl('openai-chat'), config },
      ...{ store, folder: '/work', keys: new Keys({}), note: () => {} },
      context: { terminal: openTerminal(streams, () => {}), signal },
      ...{ asking: undefined, elicitation: undefined, areLogsShown: false },
      take: (event) => void (event.type === 'start' && started.push(event.strategy)),
    });
    context.after(close);
    await conversation.open(id);
    const send = async (choice: PartialChoices) => {
      await conversation.choose(choice);
      shown.push(settings.strategy);
      await conversation.send('Hello');
      return conversation.session?.id;
    };
    return send;
  };
  const send = await opened('local/one');
  await send({});
  await send({ model: 'local/two' });
  await send({ model: 'local/three' });
  const id = await send({ model: 'local/one' });
  await (await opened('local/three', id))({});
  const later = await opened('local/two', id);
  await later({});
  await later({ strategy: 'dispatch' });
  await later({ model: 'local/one' });
  const last = await opened('local/three', id);
  await last({});
  const expected = [
    ...['bridge', 'lazy', 'eager', 'bridge', 'eager', 'lazy'],
    ...['dispatch', 'dispatch', 'dispatch'],
  ];
  assert.deepEqual(started, expected);
  assert.deepEqual(shown, started);
});

test('no session is left where no agent can be created', async () => {
  const store = memoryStore();
  const agents = {
    prepare: async () => () => assert.fail('no agent'),
    apply: async () => {},
    events: <T>(turn: T) => turn,
  };
  const set = { modelName: () => 'local/any', settings: {} };
  const opened = () =>
    new Conversation({
      ...{ store, folder: '/work', agents },
      settings: new Settings({ set, flags: {} }),
    });
  const created = opened();
  await assert.rejects(created.ready('Hello'), /no agent/);
  assert.deepEqual([created.session, await store.list()], [undefined, []]);
  // A session that was there before stays.
  const { id } = await createSession(store, { folder: '/work' });
  const known = opened();
  await known.open(id);
  await assert.rejects(known.ready('Hello'), /no agent/);
  assert.deepEqual(
    (await store.list()).map((record) => record.id),
    [id],
  );
});
