import { Readable } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';
import { MockLanguageModelV4 } from 'ai/test';
import { ANSWER } from './long-session.ts';

/** Milliseconds between two turns of the timer, and the rate of pieces. */
const TICK = 5;
const PER_SECOND = 200;
/** Characters of a piece. */
const PIECE = 12;

/** A model that answers until it is cancelled: 200 pieces of Markdown a second. */
export function streamingModel(): MockLanguageModelV4 {
  return new MockLanguageModelV4({
    provider: 'demo',
    modelId: 'scripted',
    doStream: async ({ abortSignal }) =>
      ({ stream: Readable.toWeb(Readable.from(pieces(abortSignal))) }) as never,
  });
}

async function* pieces(signal: AbortSignal | undefined): AsyncGenerator<object> {
  yield { type: 'stream-start', warnings: [] };
  yield { type: 'text-start', id: '0' };
  const begun = performance.now();
  const text = `${ANSWER}\n\n`;
  for (let at = 0; !signal?.aborted; ) {
    // A timer that is late makes up for it.
    const due = ((performance.now() - begun) / 1000) * PER_SECOND;
    for (; at < due; at += 1) {
      const start = (at * PIECE) % text.length;
      yield { type: 'text-delta', id: '0', delta: text.slice(start, start + PIECE) };
    }
    await wait(TICK);
  }
}
