import type { SdkToolGroup } from 'toolfold/ai-sdk';
import type { Scenario, World } from '../scenario.ts';
import { direct, dispatched } from './dialect.ts';
import { overloadedStream } from './streams.ts';

const done = { text: 'Done.' };
const overloaded = { error: { status: 529, body: 'Overloaded.' } };
const long = { text: 'An answer that is broken off in the middle.', chunkSize: 5 };

/** Turns that did not go to their end at once. */
export const BROKEN: readonly Scenario[] = [
  {
    name: 'cancelled-text',
    options: () => ({ strategy: 'eager' }),
    script: [long],
    play: async ({ talk }) => {
      const stop = new AbortController();
      for await (const event of talk.send('Go.', { signal: stop.signal }))
        if (event.type === 'text') stop.abort();
    },
  },
  {
    name: 'cancelled-tool',
    hasOddTools: true,
    script: [{ text: 'Wait.', calls: [dispatched('add', 1), dispatched('hang', 2)] }],
    play: async ({ talk, read, hanging }) => {
      const stop = new AbortController();
      void hanging.then(() => stop.abort());
      await read(talk.send('Go.', { signal: stop.signal }));
    },
    isCut: true,
  },
  {
    name: 'cancelled-before-its-calls',
    options: () => ({ strategy: 'eager' }),
    script: [{ text: 'Adding.', calls: [direct('add', 1)] }],
    play: async ({ talk }) => {
      const stop = new AbortController();
      for await (const event of talk.send('Go.', { signal: stop.signal }))
        if (event.type === 'call') stop.abort();
    },
  },
  {
    name: 'failed-request',
    options: () => ({ strategy: 'eager' }),
    script: [{ calls: [direct('add', 1)] }, overloaded],
  },
  {
    name: 'failed-request-resumed',
    format: 'chat',
    options: () => ({ strategy: 'eager' }),
    script: [{ calls: [direct('add', 1)] }, overloaded, done],
    play: async ({ talk, read }) => {
      await read(talk.send('Go.'));
      await read(talk.resume());
    },
    isCut: true,
  },
  {
    name: 'retried-request',
    options: () => ({ strategy: 'eager', settings: { maxRetries: 1 } }),
    script: [{ error: { status: 500, body: 'Broken.' } }, done],
  },
  {
    name: 'broken-stream',
    options: () => ({ strategy: 'eager' }),
    script: [{ ...long, calls: [direct('add', 1)], abortAfter: 6 }],
  },
  {
    name: 'broken-stream-retried',
    options: () => ({ strategy: 'eager', settings: { maxRetries: 0, streamRetries: 1 } }),
    streams: [overloadedStream()],
    script: [done],
  },
  {
    name: 'refused-native-form',
    modelId: 'claude-opus-5-5',
    options: () => ({
      strategy: 'native',
      capabilities: [{ provider: '*', model: '*', forms: ['anthropic-inline'] }],
    }),
    script: [{ error: { status: 400, body: 'No such form.' } }, done],
  },
  {
    name: 'unknown-call-happened',
    hasOddTools: true,
    script: [{ calls: [dispatched('hang', 1), dispatched('read', 2)] }, done],
    play: async ({ talk, read, reopen, hanging, free }) => {
      void read(talk.send('Go.'));
      await hanging;
      await free();
      const second = await reopen();
      const calls = await second.unknown();
      const choice = { choice: 'happened', note: 'It is there.' } as const;
      await read(
        second.resume({ unknown: Object.fromEntries(calls.map(({ id }) => [id, choice])) }),
      );
    },
    isCut: true,
  },
  {
    name: 'rounds-spent',
    options: () => ({ strategy: 'eager', maxRounds: 1 }),
    next: [{ calls: [direct('add', 8)] }, { calls: [direct('add', 9)] }],
    script: [{ calls: [direct('add', 1)] }, { calls: [direct('add', 2)] }, done],
  },
  {
    name: 'length-limit',
    format: 'responses',
    options: () => ({ strategy: 'eager' }),
    script: [{ text: 'Too long', finishReason: 'length' }],
  },
  {
    name: 'one-id-for-two-calls',
    format: 'chat',
    options: () => ({ strategy: 'eager' }),
    next: [{ calls: [{ ...direct('add', 9), id: 'call_0' }] }],
    script: [
      { calls: [{ ...direct('add', 1), id: 'call_0' }] },
      { text: 'Again.', calls: [{ ...direct('send', 2), id: 'call_0' }] },
      done,
    ],
    isCut: true,
  },
  {
    name: 'late-result',
    format: 'chat',
    options: (world) => ({ strategy: 'eager', groups: [deafGroup(world)] }),
    script: [
      { calls: [{ name: 'deaf__wait', arguments: { n: 1 }, id: 'call_0' }] },
      { calls: [{ name: 'deaf__wait', arguments: { n: 2 }, id: 'call_0' }] },
      done,
    ],
    play: async ({ talk, read, hanging }) => {
      const stop = new AbortController();
      void hanging.then(() => stop.abort());
      await read(talk.send('Go.', { signal: stop.signal }));
      await read(talk.send('Again.'));
    },
    isCut: true,
  },
];

/** A tool that ignores the abort signal. Its first run ends while the second one waits for it. */
function deafGroup(world: World): SdkToolGroup {
  const second = Promise.withResolvers<void>();
  const first = Promise.withResolvers<void>();
  const wait = async (n: number) => {
    if (n === 2) {
      second.resolve();
      return first.promise;
    }
    world.onHang();
    await second.promise;
    // The result is written meanwhile.
    setTimeout(first.resolve, 50);
  };
  return {
    groupId: 'mcp:deaf',
    toolNames: ['wait'],
    loader: async () => [
      {
        name: 'wait',
        inputSchema: { type: 'object', properties: { n: { type: 'integer' } } },
        execute: async (input: unknown) => {
          const { n } = input as { n: number };
          world.ran.push(`wait:${n}`);
          if (world.isPlayed) await wait(n);
          return { n };
        },
      },
    ],
  };
}
