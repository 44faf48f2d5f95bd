/** What the requests of a task cost at a model's cache prices, with the best use of its cache. */
import { pricesOf } from '@toolfold/core/models';
import { createPromptCache, type RecordedRequest } from '@toolfold/testing';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';

type Body = Readonly<Record<string, unknown>>;
type Block = Record<string, unknown>;

/** Tokens weighted by price: an input token is 1. `marks` says how the cache was asked for. */
export interface Cost {
  readonly total: number;
  readonly read: number;
  readonly marks: string;
}

/** The price of a token that is written for an hour (Anthropic's page on prompt caching). */
const FOR_HOUR = 2;

const MARK = { cache_control: { type: 'ephemeral' } };

/**
 * How an app can ask Anthropic for its cache by itself: by the automatic mark at the top level, or by three
 * marks: at the end of the frozen part, of the request before, and of this request.
 */
const OWN_MARKS: Readonly<Record<string, (body: Body, before: Body | undefined) => Body>> = {
  'no marks': (body) => body,
  'top level': (body) => ({ ...body, ...MARK }),
  'three marks': threeMarks,
};

/** The cost of requests as they were sent. */
export function costAsSent(requests: readonly RecordedRequest[]): Cost {
  return costOf(requests, 'as sent');
}

/** The cost of requests without marks, with those marks of the app's own that cost least. */
export function costAtBest(requests: readonly RecordedRequest[]): Cost {
  const all = Object.entries(OWN_MARKS).map(([name, marked]) =>
    costOf(
      requests.map((request, index) => ({
        ...request,
        body: marked(request.body, requests[index - 1]?.body) as RecordedRequest['body'],
      })),
      name,
    ),
  );
  const [least = costAsSent(requests)] = all.sort((a, b) => a.total - b.total);
  return least;
}

function costOf(requests: readonly RecordedRequest[], marks: string): Cost {
  // No pause of these tasks is longer than five minutes.
  const cache = createPromptCache({ countTokens, now: () => 0 });
  let total = 0;
  let read = 0;
  for (const request of requests) {
    const prices = pricesOf({
      provider: 'anthropic.messages',
      modelId: String(request.body.model),
    }) ?? { read: 1, write: 1 };
    const { input, cached, written, writtenForHour } = cache.send(request);
    read += cached;
    total += input - cached - written + cached * prices.read;
    total += (written - writtenForHour) * prices.write + writtenForHour * FOR_HOUR;
  }
  return { total, read, marks };
}

function threeMarks(body: Body, before: Body | undefined): Body {
  const messages = listOf(body.messages);
  const ends = [listOf(before?.messages).length - 1, messages.length - 1];
  const system = body.system === undefined ? [] : [body.system].flat();
  return {
    ...body,
    ...(system.length > 0
      ? { system: markedLast(system as Block[]) }
      : { tools: markedLast(listOf(body.tools), (tool) => tool.defer_loading !== true) }),
    messages: messages.map((message, index) => {
      const { content } = message;
      return ends.includes(index) && Array.isArray(content)
        ? { ...message, content: markedLast(content) }
        : message;
    }),
  };
}

function markedLast(
  blocks: readonly Block[],
  canBe: (block: Block) => boolean = () => true,
): Block[] {
  const last = blocks.findLastIndex(canBe);
  return blocks.map((block, index) => (index === last ? { ...block, ...MARK } : block));
}

function listOf(value: unknown): Block[] {
  return Array.isArray(value) ? value : [];
}
