import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { SdkToolGroup } from '@toolfold/ai-sdk';
import { DISPATCH, NATIVE } from '@toolfold/ai-sdk/test/scenarios.test-support.ts';
import type {
  CallHost,
  ElicitationAnswer,
  ToolCallOptions,
} from '@toolfold/core/internal/tool/call-host.ts';
import {
  type ModelServer,
  type Reply,
  startModelServer,
} from '@toolfold/testing/internal/doubles/model-server.ts';
import { begin, collect, ended, type World } from '../../test/agent.test-support.ts';
import { type AgentEvent, NOTHING_SPENT } from '../events/events.ts';
import { Elicitations } from './elicitations.ts';
import { RemoteAnswers } from './inbox.ts';
import type { Agent } from './options.ts';

const LIMITED = { timeout: 60_000 };
const FORM = { server: 'odd', message: 'Who?', fields: [] } as const;
const signal = new AbortController().signal;

/** A group with one tool that works with the host of its call. */
function group(run: (host: CallHost, ends: AbortSignal) => Promise<unknown>): SdkToolGroup {
  return {
    groupId: 'mcp:odd',
    toolNames: ['work'],
    loader: async () => [
      {
        name: 'work',
        inputSchema: { type: 'object' },
        execute: (_: unknown, { host = {}, signal: ends = signal }: ToolCallOptions) =>
          run(host, ends),
      },
    ],
  };
}

const SCRIPT: readonly Reply[] = [{ calls: [DISPATCH.call('odd__work', {})] }, { text: 'Done.' }];

function work(
  server: ModelServer,
  run: Parameters<typeof group>[0],
  agent: World['agent'] = {},
): Agent {
  const fold = { groups: [group(run)], strategy: 'dispatch' as const };
  return begin(server, { fold, agent }).talk;
}

const typesOf = (events: readonly AgentEvent[]) =>
  events.map(({ type }) => type).filter((type) => !['request', 'usage', 'start'].includes(type));

const outputOf = (events: readonly AgentEvent[]) =>
  events.find((event) => event.type === 'result')?.output;

/** Reads a turn and answers what is asked. */
async function answering(
  talk: Agent,
  answer: (event: Extract<AgentEvent, { type: 'elicitation' }>) => ElicitationAnswer,
): Promise<AgentEvent[]> {
  const events: AgentEvent[] = [];
  for await (const event of talk.send('Go.')) {
    events.push(event);
    const asked = event.type === 'subagent' ? event.event : event;
    if (asked.type === 'elicitation') {
      talk.answerElicitation(asked.elicitationId, answer(asked));
    }
  }
  return events;
}

describe('what a server asks in a call', () => {
  for (const [strategy, dialect] of [
    ['dispatch', DISPATCH],
    ['native', NATIVE],
    ['eager', NATIVE],
    [false, NATIVE],
  ] as const) {
    test(`becomes events of the call, in order (${strategy})`, LIMITED, async () => {
      await using server = await startModelServer({
        script: [{ calls: [dialect.call('odd__work', {})] }, { text: 'Done.' }],
      });
      const run = async (host: CallHost) => {
        host.onProgress?.({ progress: 1, total: 2 });
        host.onLog?.({ server: 'odd', level: 'info', text: 'half' });
        const answer = await host.elicit?.({ ...FORM, signal });
        host.onProgress?.({ progress: 2, total: 2 });
        return answer;
      };
      const { talk } = begin(server, { fold: { groups: [group(run)], strategy } });
      const events = await answering(talk, () => ({ action: 'accept', content: { name: 'Ada' } }));
      assert.deepEqual(typesOf(events), [
        'user',
        'epoch',
        'call',
        'tool-start',
        'tool-progress',
        'tool-log',
        'elicitation',
        'elicitation-answered',
        'tool-progress',
        'result',
        'text',
        'end',
      ]);
      const call = events.find((event) => event.type === 'call');
      const ids = events.flatMap((event) => ('id' in event ? [event.id] : []));
      assert.ok(call && ids.every((id) => id === call.id));
      assert.deepEqual(outputOf(events), { action: 'accept', content: { name: 'Ada' } });
      assert.deepEqual(talk.elicitations, []);
    });
  }

  test('is answered by `ask`, one question at a time', LIMITED, async () => {
    await using server = await startModelServer({ script: SCRIPT });
    let open = 0;
    const asked: string[] = [];
    const ask = async ({ message }: { readonly message: string }): Promise<ElicitationAnswer> => {
      open += 1;
      assert.equal(open, 1);
      await new Promise(setImmediate);
      open -= 1;
      asked.push(message);
      return { action: 'decline' };
    };
    const run = (host: CallHost) =>
      Promise.all(['one', 'two'].map((message) => host.elicit?.({ ...FORM, message, signal })));
    const events = await collect(work(server, run, { elicitation: { ask } }).send('Go.'));
    assert.deepEqual(outputOf(events), [{ action: 'decline' }, { action: 'decline' }]);
    assert.deepEqual(asked, ['one', 'two']);
  });

  test('is cancelled with a warning if `ask` throws', LIMITED, async () => {
    await using server = await startModelServer({ script: SCRIPT });
    const ask = () => Promise.reject(new Error('no screen'));
    const run = async (host: CallHost) => host.elicit?.({ ...FORM, signal });
    const events = await collect(work(server, run, { elicitation: { ask } }).send('Go.'));
    assert.deepEqual(outputOf(events), { action: 'cancel' });
    const warning = events.find((event) => event.type === 'warning');
    assert.match(warning?.text ?? '', /could not be asked: no screen/);
  });

  test('is not possible with `elicitation: false`', LIMITED, async () => {
    await using server = await startModelServer({ script: SCRIPT });
    const run = async (host: CallHost) => typeof host.elicit;
    const events = await collect(work(server, run, { elicitation: false }).send('Go.'));
    assert.equal(outputOf(events), 'undefined');
  });

  test('ends with its call and with the turn', LIMITED, async () => {
    for (const what of ['call', 'turn'] as const) {
      await using server = await startModelServer({ script: SCRIPT });
      const [turn, call] = [new AbortController(), new AbortController()];
      const run = async (host: CallHost, ends: AbortSignal) =>
        host.elicit?.({ ...FORM, signal: AbortSignal.any([ends, call.signal]) });
      const talk = work(server, run);
      const events: AgentEvent[] = [];
      for await (const event of talk.send('Go.', { signal: turn.signal })) {
        events.push(event);
        if (event.type === 'elicitation') (what === 'call' ? call : turn).abort();
      }
      const answered = events.find((event) => event.type === 'elicitation-answered');
      assert.equal(answered?.action, 'cancel', what);
      assert.equal(ended(events).reason, what === 'call' ? 'done' : 'cancelled');
      assert.deepEqual(talk.elicitations, []);
    }
  });

  test('an unknown id and what is no answer are refused', LIMITED, async () => {
    await using server = await startModelServer({ script: SCRIPT });
    const talk = work(server, async (host) => host.elicit?.({ ...FORM, signal }));
    assert.throws(() => talk.answerElicitation('x', { action: 'cancel' }), /No elicitation "x"/);
    await answering(talk, ({ elicitationId }) => {
      const wrong = { action: 'maybe' } as unknown as ElicitationAnswer;
      assert.throws(
        () => talk.answerElicitation(elicitationId, wrong),
        /option "answer" has a value/,
      );
      return { action: 'cancel' };
    });
  });
});

test('a server that uses the model is counted as its own kind', LIMITED, async () => {
  await using server = await startModelServer({
    script: [SCRIPT[0] ?? {}, { text: 'Sampled.' }, { text: 'Done.' }],
  });
  const run = async (host: CallHost) =>
    host.sample?.({
      server: 'odd',
      system: 'Be short.',
      messages: [{ role: 'user', text: 'Hello' }],
      maxTokens: 77,
      signal,
    });
  const talk = work(server, run);
  const events = await collect(talk.send('Go.'));
  const sampled = outputOf(events) as { text: string; tokens: number };
  assert.equal(sampled.text, 'Sampled.');
  const usages = events.flatMap((event) => (event.type === 'usage' ? [event] : []));
  assert.deepEqual(
    usages.map(({ kind }) => kind),
    [undefined, 'sampling', undefined],
  );
  const { own, sampling, total } = talk.spending;
  assert.deepEqual([own.requests, sampling.requests, total.requests], [2, 1, 3]);
  assert.equal(sampled.tokens, sampling.input + sampling.output);
  const body = JSON.stringify(server.requests[1]?.body);
  assert.match(body, /Be short/);
  assert.match(body, /"max_tokens":77/);
  assert.doesNotMatch(body, /"tools"/);
});

test("a subagent's question reaches the parent's user", LIMITED, async () => {
  for (const way of ['event', 'ask', 'off'] as const) {
    const asked: unknown[] = [];
    const ask = async ({ subagent }: { readonly subagent?: string }) => {
      asked.push(subagent);
      return { action: 'accept' as const, content: { name: 'Ada' } };
    };
    await using server = await startModelServer({
      script: ({ body }) => {
        const text = JSON.stringify(body);
        const results = text.split('"tool_result"').length - 1;
        if (results > 0) return { text: 'Done.' };
        return text.includes('do the work')
          ? { calls: [DISPATCH.call('odd__work', {})] }
          : {
              calls: [
                { name: 'subagents', arguments: { tasks: [{ id: 't1', task: 'do the work' }] } },
              ],
            };
      },
    });
    const outputs: unknown[] = [];
    const run = async (host: CallHost) => {
      const answer = await host.elicit?.({ ...FORM, signal });
      outputs.push(answer);
      return 'ran';
    };
    const talk = begin(server, {
      fold: {} as never,
      agent: {
        fold: undefined,
        groups: [group(run)],
        strategy: 'dispatch',
        subagents: true,
        elicitation: way === 'off' ? false : way === 'ask' ? { ask } : true,
      } as never,
    }).talk;
    const events =
      way === 'event'
        ? await answering(talk, () => ({ action: 'accept', content: { name: 'Ada' } }))
        : await collect(talk.send('Go.'));
    assert.equal(ended(events).reason, 'done', JSON.stringify(ended(events).error));
    const expected = { action: 'accept', content: { name: 'Ada' } };
    assert.deepEqual(outputs, [way === 'off' ? undefined : expected], way);
    assert.deepEqual(asked, way === 'ask' ? ['t1'] : []);
  }
});

test(
  'a question of a subagent ends with its call and with the subagent, asked already or not',
  LIMITED,
  async () => {
    const about = { ...FORM, elicitationId: 'e', id: 'call', name: 'work' };
    const of = { child: 'c', task: 't' } as const;
    const inner = (event: AgentEvent): AgentEvent => ({ type: 'subagent', ...of, event });
    const ends: readonly AgentEvent[] = [
      inner({ type: 'elicitation-answered', ...about, action: 'cancel' }),
      { type: 'subagent-end', ...of, status: 'cancelled', spent: NOTHING_SPENT },
    ];
    for (const end of ends) {
      for (const isAsked of [true, false]) {
        const asked = new Elicitations(true, new RemoteAnswers());
        asked.follow(inner({ type: 'elicitation', ...about }));
        assert.equal(asked.open.length, 1);
        const before = isAsked ? asked.ask({ ...about, signal }) : undefined;
        asked.follow(end);
        assert.deepEqual(asked.open, []);
        assert.deepEqual(await (before ?? asked.ask({ ...about, signal })), { action: 'cancel' });
      }
    }
  },
);
