import type { Reply, ReplyCall } from '../../src/testing/index.ts';
import { CALL_WAYS, type Sight } from './model-calls.ts';
import { PLANNED } from './watch.ts';

/** What a model, or the line to it, may do with a request. To add a way, add a row. */
export interface Move {
  readonly name: string;
  readonly weight: number;
  /** It breaks the turn: a turn that fails behind it has not failed by itself. */
  readonly isFault?: true;
  /** It makes a new epoch of a conversation whose endpoint is asked for its own form. */
  readonly refuses?: true;
  /** It calls tools, so that the turn goes on. */
  readonly goesOn?: true;
  readonly reply: (sight: Sight) => Reply;
}

const fails = (name: string, status: number): Move => ({
  name,
  weight: 1,
  isFault: true,
  reply: () => ({ error: { status, body: `${PLANNED} ${status}.` } }),
});

const THOUGHTS = ['Let me think.', 'First one thing, then another.'];
const WORDS = ['Done.', 'Here is what I found.', 'One moment, please.', 'ü – “quoted” 🎉'];

/** How fine the pieces of a streamed answer are. */
const pieces = ({ random }: Sight): Pick<Reply, 'chunkSize'> =>
  random.chance(0.4) ? { chunkSize: random.int(1, 12) } : {};

function calls(sight: Sight, count: number): ReplyCall[] {
  const written: ReplyCall[] = [];
  while (written.length < count && sight.declared.length > 0) {
    written.push(...(sight.random.weighted(CALL_WAYS).write(sight) ?? []));
  }
  return written;
}

const text = (sight: Sight): Reply => ({ ...pieces(sight), text: sight.random.pick(WORDS) });

export const MOVES: readonly Move[] = [
  { name: 'says something', weight: 14, reply: text },
  {
    name: 'thinks and says something',
    weight: 3,
    reply: (sight) => ({ ...text(sight), reasoning: sight.random.pick(THOUGHTS) }),
  },
  {
    name: 'calls',
    weight: 20,
    goesOn: true,
    reply: (sight) => ({ ...pieces(sight), calls: calls(sight, 1) }),
  },
  {
    name: 'says something and calls',
    weight: 8,
    goesOn: true,
    reply: (sight) => ({ ...text(sight), calls: calls(sight, 1) }),
  },
  {
    name: 'thinks and calls',
    weight: 4,
    goesOn: true,
    reply: (sight) => ({
      ...pieces(sight),
      reasoning: sight.random.pick(THOUGHTS),
      calls: calls(sight, 1),
    }),
  },
  {
    name: 'calls several at once',
    weight: 9,
    goesOn: true,
    reply: (sight) => ({ ...text(sight), calls: calls(sight, sight.random.int(2, 5)) }),
  },
  { name: 'says nothing', weight: 1, reply: () => ({}) },
  { name: 'says an empty text', weight: 1, reply: () => ({ text: '' }) },
  {
    name: 'says an empty text and calls',
    weight: 1,
    goesOn: true,
    reply: (sight) => ({ text: '', calls: calls(sight, 1) }),
  },
  {
    name: 'is cut off in its text',
    weight: 1,
    reply: (sight) => ({ ...text(sight), finishReason: 'length' }),
  },
  {
    // A whole call in an answer cut off is a known limit of the SDK's own route.
    name: 'is cut off in a call',
    weight: 1,
    goesOn: true,
    reply: (sight) => ({
      calls: [{ name: sight.random.pick(sight.declared), arguments: '{"text": "a' }],
      finishReason: 'length',
    }),
  },
  {
    name: 'is stopped by a filter',
    weight: 1,
    reply: (sight) => ({ ...text(sight), finishReason: 'content-filter' }),
  },
  { ...fails('answers 400', 400), refuses: true },
  fails('answers 429', 429),
  fails('answers 529', 529),
  {
    name: 'breaks off',
    weight: 2,
    isFault: true,
    reply: (sight) => ({
      ...text(sight),
      calls: calls(sight, sight.random.int(0, 2)),
      abortAfter: sight.random.int(0, 12),
    }),
  },
];
