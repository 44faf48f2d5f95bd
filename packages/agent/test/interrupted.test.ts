import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ENDPOINTS } from '@toolfold/ai-sdk/test/endpoints.test-support.ts';
import { DISPATCH } from '@toolfold/ai-sdk/test/scenarios.test-support.ts';
import { type Reply, startModelServer } from '@toolfold/testing/internal/doubles/model-server.ts';
import { jsonSchema, tool } from 'ai';
import type { AgentEvent } from '../src/events/events.ts';
import type { AgentContext } from '../src/loop/context.ts';
import { Turn } from '../src/loop/turn.ts';
import { assertHeld, begin, collect, ended } from './agent.test-support.ts';
import {
  assertEvents,
  assertRunsKept,
  type Effects,
  workGroup,
} from './broken-turns.test-support.ts';
import { whileTimePasses } from './subagents/until.test-support.ts';

const { call } = DISPATCH;
/** Fails a test that would otherwise wait for ever. */
const limited = { timeout: 60_000 };
const INTERRUPTED = /interrupted and its outcome is unknown: it may have taken effect/;
const both: Reply = { text: 'Both.', calls: [call('work__now', {}), call('work__deaf', {})] };

describe('a tool that ignores the abort signal', () => {
  test(
    'promise 45: is emitted and kept as interrupted; a tool beside it keeps its result',
    limited,
    async (context) => {
      context.mock.timers.enable({ apis: ['setTimeout'] });
      const one = async (endpoint: (typeof ENDPOINTS)[number], leaves: boolean) => {
        const effects: Effects = [];
        await using server = await startModelServer({ script: [both, { text: 'I see.' }] });
        const fold = { groups: [workGroup({ effects })] };
        const { talk } = begin(server, { endpoint, fold });
        const stop = new AbortController();
        const events: AgentEvent[] = [];
        for await (const event of talk.send('Go.', { signal: stop.signal })) {
          events.push(event);
          if (event.type !== 'result') continue;
          if (leaves) break;
          stop.abort();
        }
        assert.deepEqual(
          effects.map(({ tool }) => tool),
          ['work__now', 'work__deaf'],
        );
        assertRunsKept(talk.messages, effects);
        if (!leaves) {
          assertEvents(talk.messages, events);
          const failure = events.find((event) => event.type === 'failure');
          assert.match(failure?.type === 'failure' ? failure.error : '', INTERRUPTED);
          assert.ok(
            events.some((event) => event.type === 'warning' && /work__deaf/.test(event.text)),
          );
        }
        assert.equal(ended(await collect(talk.send('And?'))).reason, 'done');
        assert.match(server.requests.at(-1)?.raw ?? '', INTERRUPTED);
        assert.equal(effects.length, 2);
        assertHeld(server);
      };
      const all = ENDPOINTS.flatMap((endpoint) => [one(endpoint, false), one(endpoint, true)]);
      await whileTimePasses(context, Promise.all(all));
    },
  );

  test(
    'promise 45: is not run again where the turn goes on after it, approved by the user or not',
    limited,
    async (context) => {
      context.mock.timers.enable({ apis: ['setTimeout'] });
      const one = async (mode: 'always' | 'never') => {
        const effects: Effects = [];
        await using server = await startModelServer({ script: [both, { text: 'I see.' }] });
        const fold = { groups: [workGroup({ effects })] };
        const stop = new AbortController();
        const { talk } = begin(server, { fold, agent: { approvals: { mode } } });
        const events = await collect(
          mode === 'never'
            ? watched(talk.send('Go.', { signal: stop.signal }), stop)
            : talk.send('Go.'),
        );
        if (mode === 'always') {
          const yes = talk.pending.map(({ approvalId }) => [approvalId, { approved: true }]);
          const turn = talk.answer(Object.fromEntries(yes), { signal: stop.signal });
          events.push(...(await collect(watched(turn, stop))));
        }
        assert.equal(ended(events).reason, 'cancelled');
        assertRunsKept(talk.messages, effects);
        assertEvents(talk.messages, events);
        events.push(...(await collect(talk.resume())));
        assert.equal(ended(events).reason, 'done');
        assert.equal(effects.length, 2);
        assert.match(server.requests.at(-1)?.raw ?? '', INTERRUPTED);
        assertEvents(talk.messages, events);
      };
      await whileTimePasses(context, Promise.all([one('always'), one('never')]));
    },
  );

  test(
    'that yields results as it goes is told and kept with its last one, or as interrupted',
    limited,
    async (context) => {
      context.mock.timers.enable({ apis: ['setTimeout'] });
      for (const goesOn of [true, false]) {
        const stop = new AbortController();
        const tools = {
          steps: tool({
            inputSchema: jsonSchema({ type: 'object' }),
            async *execute() {
              yield 'first';
              yield 'second';
              if (!goesOn) stop.abort();
              if (!goesOn) await new Promise(() => {});
              yield 'last';
            },
          }),
        };
        const calls = [{ name: 'steps', arguments: {} }];
        await using server = await startModelServer({ script: [{ calls }, { text: 'I see.' }] });
        const { talk } = begin(server, { fold: { tools: tools as never } });
        const events = await whileTimePasses(
          context,
          collect(talk.send('Go.', { signal: stop.signal })),
        );
        assert.equal(ended(events).reason, goesOn ? 'done' : 'cancelled');
        const results = events.flatMap((event) => (event.type === 'result' ? [event.output] : []));
        assert.deepEqual(results, goesOn ? ['last'] : []);
        assertEvents(talk.messages, events);
        assert.match(JSON.stringify(talk.messages), goesOn ? /"last"/ : INTERRUPTED);
      }
    },
  );

  test('promise 45: no tool starts in a cancelled turn, or after its messages were built', async () => {
    const run = { id: 'a', name: 'now', input: {} };
    const cancelled = new AbortController();
    const turn = new Turn({ options: {} } as AgentContext, cancelled.signal);
    turn.observer.started?.(run);
    cancelled.abort();
    assert.throws(() => turn.observer.started?.(run), /The call was not run/);
    const over = new Turn({ options: {} } as AgentContext, new AbortController().signal);
    over.isOver = true;
    assert.throws(() => over.observer.started?.(run), /The call was not run/);
  });
});

/** The events of a turn that is cancelled at its first result. */
async function* watched(
  events: AsyncIterable<AgentEvent>,
  stop: AbortController,
): AsyncIterable<AgentEvent> {
  for await (const event of events) {
    yield event;
    if (event.type === 'result') stop.abort();
  }
}
