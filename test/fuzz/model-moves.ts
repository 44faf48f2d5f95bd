import type { Reply, ReplyCall } from '../../packages/testing/src/index.ts';
import { CALL_WAYS, type CallContext } from './model-calls.ts';
import { PLANNED } from './watch.ts';

/** A way in which the model, or the connection to it, answers a request. To add one, add a row. */
export interface Move {
  readonly name: string;
  readonly weight: number;
  /** It breaks the turn: a failure of the turn after it is expected. */
  readonly isFault?: true;
  /** The endpoint refuses its own form of appending, so a new epoch begins. */
  readonly refuses?: true;
  /** The answer calls tools, so the turn continues. */
  readonly callsTools?: true;
  readonly reply: (context: CallContext) => Reply;
}

const fails = (name: string, status: number): Move => ({
  name,
  weight: 1,
  isFault: true,
  reply: () => ({ error: { status, body: `${PLANNED} ${status}.` } }),
});

const THOUGHTS = ['Let me think.', 'First one thing, then another.'];
const WORDS = ['Done.', 'Here is what I found.', 'One moment, please.', 'ü – “quoted” 🎉'];

/** The size of the pieces of a streamed answer. */
const pieces = ({ random }: CallContext): Pick<Reply, 'chunkSize'> =>
  random.chance(0.4) ? { chunkSize: random.int(1, 12) } : {};

function calls(context: CallContext, count: number): ReplyCall[] {
  const written: ReplyCall[] = [];
  while (written.length < count && context.declared.length > 0) {
    written.push(...(context.random.weighted(CALL_WAYS).write(context) ?? []));
  }
  return written;
}

const text = (context: CallContext): Reply => ({
  ...pieces(context),
  text: context.random.pick(WORDS),
});

export const MOVES: readonly Move[] = [
  { name: 'writes text', weight: 14, reply: text },
  {
    name: 'thinks and writes text',
    weight: 3,
    reply: (context) => ({ ...text(context), reasoning: context.random.pick(THOUGHTS) }),
  },
  {
    name: 'calls',
    weight: 20,
    callsTools: true,
    reply: (context) => ({ ...pieces(context), calls: calls(context, 1) }),
  },
  {
    name: 'writes text and calls',
    weight: 8,
    callsTools: true,
    reply: (context) => ({ ...text(context), calls: calls(context, 1) }),
  },
  {
    name: 'thinks and calls',
    weight: 4,
    callsTools: true,
    reply: (context) => ({
      ...pieces(context),
      reasoning: context.random.pick(THOUGHTS),
      calls: calls(context, 1),
    }),
  },
  {
    name: 'calls several at once',
    weight: 9,
    callsTools: true,
    reply: (context) => ({ ...text(context), calls: calls(context, context.random.int(2, 5)) }),
  },
  { name: 'answers nothing', weight: 1, reply: () => ({}) },
  { name: 'writes an empty text', weight: 1, reply: () => ({ text: '' }) },
  {
    name: 'writes an empty text and calls',
    weight: 1,
    callsTools: true,
    reply: (context) => ({ text: '', calls: calls(context, 1) }),
  },
  {
    name: 'is cut off in its text',
    weight: 1,
    reply: (context) => ({ ...text(context), finishReason: 'length' }),
  },
  {
    // A whole call in an answer that is cut off is a known limit of the SDK's own route.
    name: 'is cut off in a call',
    weight: 1,
    callsTools: true,
    reply: (context) => ({
      calls: [{ name: context.random.pick(context.declared), arguments: '{"text": "a' }],
      finishReason: 'length',
    }),
  },
  {
    name: 'is stopped by a filter',
    weight: 1,
    reply: (context) => ({ ...text(context), finishReason: 'content-filter' }),
  },
  { ...fails('answers 400', 400), refuses: true },
  fails('answers 429', 429),
  fails('answers 529', 529),
  {
    name: 'breaks off',
    weight: 2,
    isFault: true,
    reply: (context) => ({
      ...text(context),
      calls: calls(context, context.random.int(0, 2)),
      abortAfter: context.random.int(0, 12),
    }),
  },
];
