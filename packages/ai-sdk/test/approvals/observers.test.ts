import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { startModelServer } from '@toolfold/testing/internal/doubles/model-server.ts';
import {
  combinations,
  product,
  selection,
} from '@toolfold/testing/test/combinations.test-support.ts';
import { generateText, isStepCount, streamText, type ToolSet, tool } from 'ai';
import { z } from 'zod';
import { type CallObserver, createFold, type WithOptions } from '../../src/index.ts';
import { ENDPOINTS, type Endpoint, modelOn } from '../endpoints.test-support.ts';
import { DISPATCH } from '../scenarios.test-support.ts';
import { resultsOn } from '../wire.test-support.ts';

const endpoint = ENDPOINTS[0] as Endpoint;
const stopWhen = isStepCount(4);
const counted = z.object({ n: z.number().default(7) });

/** Tools of all kinds, which log their runs. */
function toolsOf(log: string[]): ToolSet {
  const stream = async function* (n: number) {
    yield `${n} of 3`;
    await sleep(1);
    yield `${n + 1} of 3`;
    log.push('end of stream');
    yield 'all';
  };
  return {
    plain: tool({
      inputSchema: counted,
      execute: ({ n }) => {
        log.push('run');
        return { n };
      },
    }),
    slow: tool({
      inputSchema: counted,
      execute: async ({ n }) => {
        log.push('run');
        await sleep(5);
        log.push('end of run');
        return { n };
      },
    }),
    generator: tool({
      inputSchema: counted,
      async *execute({ n }) {
        log.push('run');
        yield* stream(n);
      },
    }),
    // Not a generator function, but the SDK treats it in the same way.
    iterable: tool({
      inputSchema: counted,
      execute: ({ n }) => {
        log.push('run');
        return stream(n);
      },
    }),
    throwing: tool({
      inputSchema: counted,
      execute: (): unknown => {
        log.push('run');
        throw new Error('it blew up');
      },
    }),
    breaking: tool({
      inputSchema: counted,
      async *execute() {
        log.push('run');
        yield 'some';
        throw new Error('it broke off');
      },
    }),
  } as ToolSet;
}
const KINDS = ['plain', 'slow', 'generator', 'iterable', 'throwing', 'breaking'] as const;
type Kind = (typeof KINDS)[number];

interface Setting {
  readonly strategy: 'dispatch' | 'eager';
  readonly mode: 'generate' | 'stream';
  readonly fields: 3 | 2;
  readonly of: 'own' | 'group';
}

const VALUES = {
  strategy: ['dispatch', 'eager'],
  mode: ['generate', 'stream'],
  fields: [3, 2],
  of: ['own', 'group'],
} as const;
const SETTINGS: readonly Setting[] = combinations(VALUES);
const ORDERS = combinations({ ...VALUES, kind: KINDS });

function nameIn({ strategy, mode, fields, of }: Setting): string {
  return `${of}, ${strategy}, ${mode}, ${fields} fields`;
}

async function play(setting: Setting, kind: Kind, log: string[], given: WithOptions) {
  const { strategy, mode, fields: count, of } = setting;
  const name = of === 'own' ? kind : `kit__${kind}`;
  const isDirect = of === 'own' || strategy === 'eager';
  const call = isDirect ? { name, arguments: {} } : DISPATCH.call(name, {});
  await using server = await startModelServer({ script: [{ calls: [call] }, { text: 'Done.' }] });
  const fold = createFold({
    strategy,
    tools: of === 'own' ? toolsOf(log) : {},
    groups: [{ groupId: 'kit', toolNames: KINDS, loader: async () => toolsOf(log) }],
  });
  const { toolApproval, ...two } = fold.with(modelOn(server, endpoint), given);
  const all = { ...two, ...(count === 3 ? { toolApproval } : {}), prompt: 'Go.', stopWhen };
  const preliminary: unknown[] = [];
  let steps: Awaited<ReturnType<typeof generateText>>['steps'];
  if (mode === 'generate') {
    steps = (await generateText(all as never)).steps;
  } else {
    const result = streamText(all as never);
    for await (const part of result.stream)
      if (part.type === 'tool-result' && part.preliminary === true) preliminary.push(part.output);
    steps = (await result.steps) as typeof steps;
  }
  log.push('next step');
  const parts = steps.flatMap((step) => step.content);
  const outputs = parts.flatMap((part) => (part.type === 'tool-result' ? [part.output] : []));
  const errors = parts.flatMap((part) => (part.type === 'tool-error' ? [part.error] : []));
  const shown = resultsOn(server.requests.at(-1) ?? assert.fail()).map(({ text }) => text);
  return { name, outputs, errors, preliminary, shown };
}

/** A slow observer. */
function observer(id: string, log: string[], seen: unknown[] = []): CallObserver {
  return {
    started: async (call) => {
      log.push(`${id} starts`);
      await sleep(3);
      log.push(`${id} started`);
      seen.push(call);
    },
    settled: async (call, outcome) => {
      log.push(`${id} settles`);
      await sleep(3);
      log.push(`${id} settled`);
      seen.push([call.name, outcome]);
    },
  };
}

const BEFORE = ['a starts', 'a started', 'b starts', 'b started', 'run'];
const AFTER = ['a settles', 'a settled', 'b settles', 'b settled', 'next step'];
const BETWEEN: Record<Kind, string[]> = {
  plain: [],
  slow: ['end of run'],
  generator: ['end of stream'],
  iterable: ['end of stream'],
  throwing: [],
  breaking: [],
};
const OUTPUTS: Partial<Record<Kind, unknown>> = {
  plain: { n: 7 },
  slow: { n: 7 },
  generator: 'all',
  iterable: 'all',
};
const ERRORS: Partial<Record<Kind, string>> = {
  throwing: 'it blew up',
  breaking: 'it broke off',
};

describe(`observers, ${selection}`, () => {
  for (const kind of KINDS) {
    test(`are awaited in order, before and after the run: ${kind}`, async () => {
      for (const setting of ORDERS.filter((row) => row.kind === kind)) {
        const where = nameIn(setting);
        const log: string[] = [];
        const seen: unknown[] = [];
        const observers = [observer('a', log, seen), observer('b', log)];
        const { name, outputs, errors } = await play(setting, kind, log, { observers });
        assert.deepEqual(log, [...BEFORE, ...BETWEEN[kind], ...AFTER], where);
        const [started, settled] = seen as [{ name: string; input: unknown }, [string, object]];
        assert.equal(started.name, name, where);
        assert.deepEqual(started.input, { n: 7 }, where);
        assert.equal(settled[0], name, where);
        if (ERRORS[kind]) {
          assert.deepEqual(settled[1], { error: errors[0] }, where);
          assert.equal((errors[0] as Error).message, ERRORS[kind], where);
        } else {
          assert.deepEqual(settled[1], { output: OUTPUTS[kind] }, where);
          assert.deepEqual(outputs, [OUTPUTS[kind]], where);
        }
      }
    });
  }

  test('see the outcome after the hooks', async () => {
    for (const setting of SETTINGS) {
      const log: string[] = [];
      const seen: unknown[] = [];
      const { outputs, name } = await play(setting, 'generator', log, {
        observers: observer('a', log, seen),
        hooks: {
          beforeToolCall: () => ({ arguments: { n: 1 } }),
          afterToolCall: (_, outcome) => ({ output: ['seen', outcome] }),
        },
      });
      const output = ['seen', { output: 'all' }];
      assert.deepEqual((seen[0] as { input: unknown }).input, { n: 1 }, nameIn(setting));
      assert.deepEqual(seen[1], [name, { output }], nameIn(setting));
      assert.deepEqual(outputs, [output], nameIn(setting));
    }
  });

  test('an error in `started` stops the tool; an error in `settled` fails the call', async () => {
    for (const setting of SETTINGS) {
      const where = nameIn(setting);
      const fail = async () => {
        throw new Error('the disk is full');
      };
      const log: string[] = [];
      const before = await play(setting, 'slow', log, { observers: [{ started: fail }] });
      assert.deepEqual(log, ['next step'], where);
      assert.equal((before.errors[0] as Error).message, 'the disk is full', where);
      assert.match(before.shown[0] ?? '', /the disk is full/, where);
      log.length = 0;
      const after = await play(setting, 'slow', log, { observers: [{ settled: fail }] });
      assert.deepEqual(log, ['run', 'end of run', 'next step'], where);
      assert.deepEqual(after.outputs, [], where);
      assert.equal((after.errors[0] as Error).message, 'the disk is full', where);
    }
  });

  test('see no call that does not run', async () => {
    for (const setting of SETTINGS) {
      const log: string[] = [];
      await play(setting, 'plain', log, {
        observers: observer('a', log),
        hooks: { beforeToolCall: () => ({ deny: 'Not now.' }) },
      });
      assert.deepEqual(log, ['next step'], nameIn(setting));
    }
  });
});

describe('partial results without observers', () => {
  const streaming = product({ ...VALUES, mode: ['stream'], of: ['own'] });
  const cases: [string, WithOptions, unknown[]][] = [
    ['nothing given', {}, ['7 of 3', '8 of 3', 'all']],
    ['hooks before', { hooks: { beforeToolCall: () => undefined } }, ['7 of 3', '8 of 3', 'all']],
    [
      'hooks that change arguments',
      { hooks: { beforeToolCall: () => ({ arguments: { n: 1 } }) } },
      ['1 of 3', '2 of 3', 'all'],
    ],
    [
      'an approval setting',
      { toolApproval: { generator: 'approved', iterable: 'approved' } },
      ['7 of 3', '8 of 3', 'all'],
    ],
  ];
  for (const kind of ['generator', 'iterable'] as const) {
    for (const [name, given, expected] of cases) {
      for (const fields of [3, 2] as const) {
        test(`own tools keep their partial results: ${kind}, ${name}, ${fields} fields`, async () => {
          for (const setting of streaming.filter((one) => one.fields === fields)) {
            const { preliminary, outputs } = await play(setting, kind, [], given);
            assert.deepEqual(outputs, ['all'], nameIn(setting));
            // Only the run shows whether a plain function returns a stream. That is too late for the SDK
            // if the call was not approved before.
            const isUnasked = fields === 2 && name === 'nothing given';
            const isLate = kind === 'iterable' && isUnasked;
            assert.deepEqual(preliminary, isLate ? [] : expected, nameIn(setting));
          }
        });
      }
    }
  }
});
