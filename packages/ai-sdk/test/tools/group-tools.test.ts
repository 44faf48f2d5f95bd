import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { auditPrefix, formatAuditReport } from '@toolfold/testing/internal/audit/audit-prefix.ts';
import { type Reply, startModelServer } from '@toolfold/testing/internal/doubles/model-server.ts';
import { isStepCount, streamText, type ToolSet, tool } from 'ai';
import { z } from 'zod';
import { createFold, type Fold, type WithOptions } from '../../src/index.ts';
import { ENDPOINTS, modelOn } from '../endpoints.test-support.ts';
import { DISPATCH } from '../scenarios.test-support.ts';
import { Talk } from '../talk.test-support.ts';
import { resultsOn } from '../wire.test-support.ts';

const endpoint = ENDPOINTS[1] ?? assert.fail();
const inputSchema = z.object({ id: z.string() });
const input = { id: 'a' };

/** A tool that is an instance of a class. All of its methods need `this`. */
class Counter {
  readonly description = 'Counts.';
  readonly inputSchema = inputSchema;
  readonly seen: string[] = [];
  #count = 0;

  execute({ id }: { id: string }) {
    this.#count++;
    return { id, count: this.#count };
  }

  needsApproval() {
    this.seen.push(`asked ${this.#count}`);
    return false;
  }

  toModelOutput({ output }: { output: { count: number } }) {
    return { type: 'text' as const, value: `${output.count} of ${this.#count}` };
  }

  onInputAvailable() {
    this.seen.push(`input ${this.#count}`);
  }
}

function foldOf(own: ToolSet, kit: ToolSet, toolNames = Object.keys(kit)): Fold<ToolSet> {
  return createFold({
    strategy: 'dispatch',
    tools: own,
    groups: [{ groupId: 'kit', toolNames, loader: async () => kit }],
  }) as Fold<ToolSet>;
}

test('tools that are instances of a class keep `this`, own and deferred tools', async () => {
  for (const mode of ['generate', 'stream'] as const) {
    for (const hooks of [{}, { beforeToolCall: () => undefined }]) {
      const [own, deferred] = [new Counter(), new Counter()];
      await using server = await startModelServer({
        script: [
          { calls: [DISPATCH.load('kit'), { name: 'count', arguments: input }] },
          { calls: [DISPATCH.call('kit__count', input)] },
          { text: 'Done.' },
        ],
      });
      const talk = new Talk({
        mode,
        route: 'live',
        handing: 'spread',
        model: modelOn(server, endpoint),
        with: { hooks },
        fold: () => foldOf({ count: own } as never, { count: deferred } as never),
      });
      await talk.say('Go.');
      const texts = resultsOn(server.requests.at(-1) ?? assert.fail()).map(({ text }) => text);
      assert.deepEqual(texts.slice(1), ['1 of 1', '1 of 1']);
      for (const { seen } of [own, deferred]) {
        assert.ok(seen.includes('asked 0'), mode);
        assert.ok(seen.includes('input 0'), mode);
      }
    }
  }
});

test('a group tool that yields partial results shows each of them', async () => {
  const steps = tool({
    inputSchema,
    async *execute() {
      yield 'one';
      yield 'two';
    },
  });
  const plain = tool({ inputSchema, execute: () => 'at once' });
  const shown = async (given: WithOptions) => {
    await using server = await startModelServer({
      script: [
        {
          calls: [DISPATCH.call('kit__steps', input), DISPATCH.call('kit__plain', input)],
        },
        { text: 'Done.' },
      ],
    });
    const fields = foldOf({}, { steps, plain }).with(modelOn(server, endpoint), given);
    const result = streamText({ ...fields, prompt: 'Go.', stopWhen: isStepCount(3) });
    const parts = [];
    for await (const part of result.stream)
      if (part.type === 'tool-result') parts.push([part.toolName, part.output, part.preliminary]);
    return parts.sort();
  };
  assert.deepEqual(await shown({}), [
    ['kit__plain', 'at once', undefined],
    ['kit__steps', 'one', true],
    ['kit__steps', 'two', undefined],
    ['kit__steps', 'two', true],
  ]);
  // A hook may redact results, so no partial result may appear before the hook.
  assert.deepEqual(await shown({ hooks: { afterToolCall: () => ({ output: 'redacted' }) } }), [
    ['kit__plain', 'redacted', undefined],
    ['kit__steps', 'redacted', undefined],
    ['kit__steps', 'redacted', true],
  ]);
});

test('the input listeners of a group tool are called after the group has loaded', async () => {
  for (const isLoaded of [true, false]) {
    const heard: string[] = [];
    const listening = tool({
      inputSchema,
      onInputStart: () => void heard.push('start'),
      onInputDelta: ({ inputTextDelta }) => void heard.push(inputTextDelta),
      onInputAvailable: ({ input: given }) => void heard.push(JSON.stringify(given)),
      execute: () => 'done',
    });
    const script: Reply[] = [
      ...(isLoaded ? [{ calls: [DISPATCH.load('kit')] }] : []),
      { calls: [DISPATCH.call('kit__listening', input)], chunkSize: 8 },
      { text: 'Done.' },
    ];
    await using server = await startModelServer({ script });
    const fields = foldOf({}, { listening }).with(modelOn(server, endpoint));
    await streamText({ ...fields, prompt: 'Go.', stopWhen: isStepCount(4) }).consumeStream();
    assert.equal(heard.at(-1), JSON.stringify(input));
    if (!isLoaded) continue;
    assert.equal(heard[0], 'start');
    assert.equal(heard.slice(1, -1).join(''), JSON.stringify(input));
  }
});

test('promise 51: a tool of the core without `execute` is refused', async () => {
  const idle = { name: 'idle', inputSchema: { type: 'object' } } as const;
  await using server = await startModelServer({
    script: [{ calls: [DISPATCH.call('kit__idle', {})] }, { text: 'Done.' }],
  });
  const fold = createFold({
    strategy: 'dispatch',
    groups: [{ groupId: 'kit', toolNames: ['idle'], loader: async () => [idle] }],
  });
  const fields = fold.with(modelOn(server, endpoint));
  await streamText({ ...fields, prompt: 'Go.', stopWhen: isStepCount(3) }).consumeStream();
  assert.match(resultsOn(server.requests.at(-1) ?? assert.fail())[0]?.text ?? '', /not_runnable/);
});

describe('a group tool without `execute`: the client gives the result', () => {
  const kit = (): ToolSet => ({ locate: tool({ inputSchema, outputSchema: z.string() }) });
  const CALLS: Readonly<Record<string, readonly Reply[]>> = {
    'called at once': [{ calls: [DISPATCH.call('kit__locate', input)] }],
    'after a load': [
      { calls: [DISPATCH.load('kit')] },
      { calls: [DISPATCH.call('kit__locate', input)] },
    ],
  };
  for (const [way, calls] of Object.entries(CALLS)) {
    for (const mode of ['generate', 'stream'] as const) {
      for (const route of ['live', 'json', 'ui'] as const) {
        test(`promise 9: ${way}, ${mode}, ${route}`, async () => {
          await using server = await startModelServer({
            script: [...calls, { text: 'There.' }, { text: 'Bye.' }],
          });
          const fold = foldOf({}, kit());
          const talk = new Talk({
            mode,
            route,
            handing: 'spread',
            model: modelOn(server, endpoint),
            fold: () => (route === 'live' ? fold : foldOf({}, kit())),
          });
          await talk.say('Where?');
          assert.equal(server.requests.length, calls.length);
          const call = talk.parts.findLast((part) => part.type === 'tool-call');
          assert.deepEqual([call?.toolName, call?.input], ['kit__locate', input]);
          const toolCallId = call?.toolCallId ?? assert.fail();
          talk.messages.push({
            role: 'tool',
            content: [
              {
                type: 'tool-result',
                toolCallId,
                toolName: 'kit__locate',
                output: { type: 'text', value: 'in Leipzig' },
              },
            ],
          });
          const parts = talk.ui.at(-1)?.parts ?? [];
          const part = parts.find(({ type }) => type === 'tool-kit__locate');
          if (part) Object.assign(part, { state: 'output-available', output: 'in Leipzig' });
          await talk.run();
          await talk.say('And?');
          const last = server.requests.at(-1) ?? assert.fail();
          assert.equal(resultsOn(last).at(-1)?.text, 'in Leipzig');
          const report = auditPrefix(server.requests);
          assert.ok(report.held, formatAuditReport(report));
        });
      }
    }
  }

  test('promise 51: a hook can deny it, and the user is asked before', async () => {
    for (const verdict of [{ deny: 'Not here.' }, { ask: true }]) {
      await using server = await startModelServer({
        script: [...(CALLS['after a load'] ?? []), { text: 'Done.' }, { text: 'Bye.' }],
      });
      const talk = new Talk({
        mode: 'stream',
        route: 'live',
        handing: 'spread',
        model: modelOn(server, endpoint),
        fold: () => foldOf({}, kit()),
        with: {
          hooks: { beforeToolCall: ({ name }) => (name === 'kit__locate' ? verdict : undefined) },
        },
      });
      await talk.say('Where?');
      const last = server.requests.at(-1) ?? assert.fail();
      if (verdict.deny) assert.match(resultsOn(last).at(-1)?.text ?? '', /Not here/);
      else assert.ok(talk.parts.some((part) => part.type === 'tool-approval-request'));
    }
  });
});
