import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { fakeGroup } from '@toolfold/testing/internal/doubles/fake-group.ts';
import { createToolLayer } from '../src/session/layer.ts';
import { fingerprint } from '../src/tool/hash.ts';
import type { Tool } from '../src/tool/tool.ts';
import { Conversation, simpleTools } from './conversation.test-support.ts';

const NAME = 'desk__open_ticket';
const LOAD = ['load_tools', { group_id: 'mcp:desk', tool_names: ['open_ticket'] }] as const;
const DESCRIBE = ['tool_describe', { name: NAME }] as const;
const SEARCH = ['tool_search', { query: 'open ticket' }] as const;
const SEARCHES = ['tool_search', { queries: ['open ticket', 'ticket'] }] as const;

const OLD = simpleTools('open_ticket');
const NEW: Tool[] = simpleTools('open_ticket').map((tool) => ({
  ...tool,
  inputSchema: { type: 'object', properties: { subject: { type: 'string' } } },
}));
const REWORDED: Tool[] = OLD.map((tool) => ({ ...tool, description: 'Opens a ticket.' }));

const groups = (tools: readonly Tool[]) => [
  fakeGroup({ groupId: 'mcp:desk', tools, fingerprint: fingerprint(tools) }),
  fakeGroup({ groupId: 'mcp:park', tools: simpleTools('water_garden') }),
];

type Step = readonly [string, object];

interface World {
  readonly talk: Conversation;
  /** Replaces the definition of the tool. */
  readonly change: (tools: readonly Tool[]) => void;
}

function world(strategy: 'dispatch' | 'bridge' = 'dispatch'): World {
  const session = createToolLayer({ groups: groups(OLD), strategy }).session();
  return {
    talk: new Conversation(session),
    change: (tools) => session.update(groups(tools)),
  };
}

/** What the answer of a search says of the tool. */
async function searched(talk: Conversation, step: Step = SEARCH): Promise<'sent' | 'named'> {
  const answer = await talk.answer(...step);
  if (answer.repeated !== undefined) return 'named';
  const lists = [answer, ...(Array.isArray(answer.results) ? answer.results : [])];
  const matches = lists.flatMap((list) => Object(list).matches ?? []);
  const hits = matches.filter(({ name }: { name: string }) => name === NAME);
  assert.ok(hits.length > 0);
  assert.deepEqual(
    hits.map(({ signature }: { signature?: string }) => signature),
    hits.map(() => undefined),
  );
  const sent = hits.filter(({ parameters }: { parameters?: object }) => parameters !== undefined);
  assert.ok(sent.length <= 1);
  assert.deepEqual(answer.shown_before, sent.length > 0 ? undefined : [NAME]);
  return sent.length > 0 ? 'sent' : 'named';
}

/** Replaces the outputs of all results so far. */
function replaceResults({ messages }: Conversation, output: unknown, isError = false): void {
  for (const [at, message] of messages.entries()) {
    if (message.role !== 'tool') continue;
    const results = message.results.map(({ id }) => ({ id, output, isError }));
    messages[at] = { role: 'tool', results };
  }
}

const BEFORE: Readonly<Record<string, readonly Step[]>> = {
  'a load': [LOAD],
  'a description': [DESCRIBE],
  'a search': [SEARCH],
  'a search for several needs': [SEARCHES],
  'a load, a description and a search': [LOAD, DESCRIBE, SEARCH],
};

suite('a search that finds a tool whose schema the conversation has', () => {
  for (const strategy of ['dispatch', 'bridge'] as const) {
    for (const [name, steps] of Object.entries(BEFORE)) {
      for (const search of [SEARCH, SEARCHES]) {
        const several = search === SEARCHES ? ', for several needs' : '';
        test(`names it behind ${name}, in ${strategy}${several}`, async () => {
          const { talk } = world(strategy);
          for (const step of steps) await talk.answer(...step);
          await talk.step();
          assert.equal(await searched(talk, search), 'named');
        });
      }

      const lost: Readonly<Record<string, (talk: Conversation) => void>> = {
        'were dropped': ({ messages }) => messages.splice(1),
        'became digests': (talk) => replaceResults(talk, { digest: '{"group_id":', length: 4000 }),
        'were cleared': (talk) => replaceResults(talk, '[cleared]'),
        'failed instead': (talk) => replaceResults(talk, { error: 'no' }, true),
      };
      for (const [how, lose] of Object.entries(lost)) {
        test(`sends it where the results of ${name} ${how}, in ${strategy}`, async () => {
          const { talk } = world(strategy);
          for (const step of steps) await talk.answer(...step);
          await talk.step();
          lose(talk);
          assert.equal(await searched(talk), 'sent');
          assert.equal(await searched(talk), 'named');
        });
      }
    }

    test(`sends each changed definition once, in ${strategy}`, async () => {
      const { talk, change } = world(strategy);
      const load: Step = strategy === 'dispatch' ? LOAD : DESCRIBE;
      await talk.answer(...load);
      change(NEW);
      assert.deepEqual([await searched(talk), await searched(talk)], ['sent', 'named']);
      // The first definition stands in the messages too, but behind it another one.
      change(OLD);
      assert.deepEqual([await searched(talk), await searched(talk)], ['sent', 'named']);
      await talk.answer(...load);
      change(NEW);
      await talk.answer(...load);
      assert.equal(await searched(talk), 'named');
    });
  }

  test('sends it where only the description has changed since a load', async () => {
    const { talk, change } = world();
    await talk.answer(...LOAD);
    change(REWORDED);
    assert.deepEqual([await searched(talk), await searched(talk)], ['sent', 'named']);
  });

  test('does not shorten a later load or description', async () => {
    for (const strategy of ['dispatch', 'bridge'] as const) {
      const step: Step = strategy === 'dispatch' ? LOAD : DESCRIBE;
      const first = await world(strategy).talk.answer(...step);
      const { talk } = world(strategy);
      await talk.answer(...SEARCH);
      assert.equal(await searched(talk), 'named');
      assert.deepEqual(await talk.answer(...step), first);
    }
  });

  test('sends it in each of two calls that are made at once', async () => {
    const { talk } = world();
    const routes = await talk.step([SEARCH, SEARCH]);
    const [one, other] = routes.map((route) => route.kind === 'answer' && route.result);
    assert.deepEqual(one, other);
    assert.match(JSON.stringify(one), /"parameters"/);
  });

  test('leaves the rest of the answer as it is', async () => {
    const { talk } = world();
    const search = ['tool_search', { query: 'open ticket water garden' }] as const;
    const { matches, ...first } = await talk.answer(...search);
    const { matches: again, shown_before, ...second } = await talk.answer(...search);
    assert.deepEqual(second, first);
    const without = Object(matches).map(
      ({ parameters: _, ...rest }: Tool & { parameters: object }) => rest,
    );
    assert.deepEqual(again, without);
    const names = Object(matches).flatMap(({ name, parameters }: Tool & { parameters?: object }) =>
      parameters ? name : [],
    );
    assert.ok(names.length > 0);
    assert.deepEqual(shown_before, names);
  });

  test('sends it again in a conversation without messages, and in its fork', async () => {
    const session = createToolLayer({ groups: groups(OLD), strategy: 'dispatch' }).session();
    const [name, input] = SEARCH;
    const ask = async (asked: typeof session) => {
      const call = { id: '1', name, input };
      const route = await asked.route(call);
      assert.ok(route.kind === 'answer');
      asked.record(call, { output: route.result, isError: false });
      return JSON.stringify(route.result);
    };
    const first = await ask(session);
    assert.match(first, /"parameters"/);
    assert.equal(await ask(session), first);
    assert.equal(await ask(session.fork()), first);
  });

  test('sends it in a session that resumes from a state without messages', async () => {
    const { talk } = world();
    await talk.answer(...LOAD);
    const state = talk.session.state();
    const layer = createToolLayer({ groups: groups(OLD), strategy: 'dispatch' });
    assert.equal(await searched(new Conversation(layer.session({ state }))), 'sent');
    const resumed = new Conversation(layer.session({ state }));
    resumed.messages.splice(0, 1, ...talk.messages);
    assert.equal(await searched(resumed), 'named');
  });

  test('names it in a fork that has the messages, and sends it in a subagent', async () => {
    const { talk } = world();
    await talk.answer(...SEARCH);
    const fork = new Conversation(talk.session.fork());
    fork.messages.splice(0, 1, ...talk.messages);
    assert.equal(await searched(fork), 'named');
    assert.equal(await searched(new Conversation(talk.session.child())), 'sent');
  });
});
