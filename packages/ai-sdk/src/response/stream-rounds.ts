import type { LanguageModelV4StreamPart, LanguageModelV4StreamResult } from '../protocol/index.ts';
import type { Pending } from '../request/index.ts';
import type { ResponseCalls } from './incoming.ts';
import { contentOf, holdTexts } from './left-out-texts.ts';
import { partsOf, streamOf } from './model.ts';
import type { ModelCall } from './model-call.ts';
import { rewriteParts } from './stream.ts';

type StreamPart = LanguageModelV4StreamPart;
type Finish = Extract<StreamPart, { type: 'finish' }>;

interface StreamedRound {
  readonly result: LanguageModelV4StreamResult;
  readonly request: Pending;
}

interface StreamRoundsInputs {
  readonly call: ModelCall;
  readonly first: StreamedRound;
  /** Returns the reader of the calls of a response, which begins now. */
  readonly receive: (request: Pending) => ResponseCalls | undefined;
  /** Sends the next request of the model call. */
  readonly open: () => Promise<StreamedRound>;
  /** Is aborted when the reader cancels. Ends a later request that is under way. */
  readonly closing: AbortController;
}

/** The parts of all rounds of a model call as one response. Loads are shown as they happen. */
export function streamRounds(inputs: StreamRoundsInputs): ReadableStream<StreamPart> {
  const { call, first, receive, open, closing } = inputs;
  let current: { incoming: ResponseCalls | undefined; cancel: (reason: unknown) => Promise<void> };

  async function* parts(): AsyncGenerator<StreamPart> {
    let { result, request } = first;
    for (;;) {
      const incoming = receive(request);
      const { rounds } = call;
      const received: StreamPart[] = [];
      const read = partsOf(result.stream, (cancel) => {
        current = { incoming, cancel };
      });
      let finish: Finish | undefined;
      let hasFailed = false;
      try {
        const identified = call.ids?.ofStream(read) ?? read;
        const arriving = call.isJson ? holdTexts(identified, incoming) : identified;
        for await (const part of rewriteParts(arriving, incoming, request.note)) {
          if (part.type === 'finish') finish = part;
          else if (part.type !== 'stream-start' || rounds === 0) {
            if (part.type === 'error') hasFailed = true;
            const own = rounds === 0 ? part : withOwnId(part, rounds);
            received.push(own);
            yield own;
          }
        }
        if (!finish) return;
        const { results, isAgain } = await call.add(contentOf(received), incoming, finish);
        yield* results as StreamPart[];
        if (!isAgain || hasFailed) return yield finishOf(call, finish);
      } finally {
        // A response that did not end needs no loaders.
        if (!finish) incoming?.abort();
      }
      try {
        ({ result, request } = await open());
        if (closing.signal.aborted) return await result.stream.cancel();
      } catch (error) {
        request.signal?.throwIfAborted();
        yield { type: 'error', error };
        const finishReason = { unified: 'error', raw: undefined } as const;
        return yield finishOf(call, { ...finish, finishReason });
      }
    }
  }

  return streamOf(parts(), async (reason) => {
    closing.abort(reason);
    current?.incoming?.abort();
    await current?.cancel(reason);
  });
}

function finishOf(call: ModelCall, finish: Finish): Finish {
  const providerMetadata = call.metadata(finish.providerMetadata);
  return { ...finish, usage: call.usage(), ...(providerMetadata ? { providerMetadata } : {}) };
}

/** The part of a later round with an id that no earlier round has used: endpoints number their texts from zero. */
function withOwnId(part: StreamPart, round: number): StreamPart {
  switch (part.type) {
    case 'text-start':
    case 'text-delta':
    case 'text-end':
    case 'reasoning-start':
    case 'reasoning-delta':
    case 'reasoning-end':
      return { ...part, id: `${part.id}-${round}` };
    default:
      return part;
  }
}
