import type { SamplingSettings } from '@toolfold/config/internal/settings';
import { errorMessage } from '@toolfold/core/internal/errors.ts';
import type { SamplingRequest } from '@toolfold/core/internal/tool';
import { formatNumber, ownProperties, ownProperty, pick } from '@toolfold/core/internal/values';
import { answerInTime, type ServerRequestContext } from './calls-in-flight.ts';

const DEFAULT_CALLS = 10;
const DEFAULT_TOKENS = 20_000;

/** Tokens of an answer, if the server does not say how many it wants. */
const DEFAULT_ANSWER = 1000;

const MAX_MESSAGES = 100;
const MAX_TEXT = 100_000;
const MAX_STOPS = 10;

const DECLINED = -1;

/** The answer to a request that was declined. */
export class DeclinedError extends Error {
  readonly code: number = DECLINED;
}

/** What a sampling request needs besides its parameters. */
export interface SamplingContext extends ServerRequestContext {
  /** `false` if the host has no model or the server may not use it. */
  readonly limits: SamplingSettings | false;
}

/**
 * Answers `sampling/createMessage` with a text of the host's model. The parameters are untrusted texts.
 * Tools are refused and `includeContext` is ignored. Rejects with `DeclinedError`.
 */
export async function sample(params: unknown, context: SamplingContext): Promise<object> {
  const { call, limits, refusal, texts, warn } = context;
  const decline = (reason: string): DeclinedError => {
    warn(`it asked for an answer of the model, but ${reason}; this was declined`);
    return new DeclinedError(`The user declined the request: ${reason}.`);
  };
  if (refusal) throw decline(refusal);
  const answer = call.host?.sample;
  if (limits === false || answer === undefined) throw decline('this is not allowed');
  const { maxCalls = DEFAULT_CALLS, maxTokens = DEFAULT_TOKENS } = limits;
  const { used } = call;
  if (used.samplings >= maxCalls)
    throw decline(`a call has ${formatNumber(maxCalls)} of them at most`);
  const left = maxTokens - used.samplingTokens;
  if (left <= 0) throw decline(`the ${formatNumber(maxTokens)} tokens for one call are used up`);
  const read = readRequest(params, context, left);
  if (typeof read === 'string') throw decline(read);
  used.samplings += 1;
  // Reserved, because a second request may come before the answer.
  used.samplingTokens += read.maxTokens;
  try {
    const { text, model, stopReason, tokens } = await answerInTime(
      (ends) => answer({ ...read, signal: ends }),
      context,
    );
    used.samplingTokens += tokens - read.maxTokens;
    return {
      role: 'assistant',
      content: { type: 'text', text },
      model,
      ...pick({ stopReason }, 'stopReason'),
    };
  } catch (error) {
    throw decline(texts.line(errorMessage(error), 200));
  }
}

/** The request, or why it is declined. `left`: the tokens that are left. */
function readRequest(
  params: unknown,
  { server, texts }: SamplingContext,
  left: number,
): Omit<SamplingRequest, 'signal'> | string {
  const { tools, messages: list, systemPrompt, ...given } = ownProperties(params);
  const { maxTokens: wanted, temperature, stopSequences: stops } = given;
  if (tools !== undefined) return 'it has tools, which are not supported';
  if (!Array.isArray(list) || list.length === 0) return 'it has no messages';
  if (list.length > MAX_MESSAGES) return `it has more than ${MAX_MESSAGES} messages`;
  const messages: { role: 'user' | 'assistant'; text: string }[] = [];
  for (const message of list as unknown[]) {
    const { role, content } = ownProperties(message);
    const text = textOf(content);
    if ((role !== 'user' && role !== 'assistant') || text === undefined)
      return 'it has a message that is no text';
    messages.push({ role, text: texts.lines(text, MAX_TEXT) });
  }
  const system = typeof systemPrompt === 'string' ? texts.lines(systemPrompt, MAX_TEXT) : undefined;
  const all = messages.reduce((sum, { text }) => sum + text.length, system?.length ?? 0);
  if (all > MAX_TEXT) return `it has more than ${formatNumber(MAX_TEXT)} characters`;
  const isCount = typeof wanted === 'number' && Number.isSafeInteger(wanted) && wanted > 0;
  return {
    server,
    messages,
    ...pick({ system }, 'system'),
    maxTokens: Math.min(left, isCount ? wanted : DEFAULT_ANSWER),
    ...(typeof temperature === 'number' && temperature >= 0 && temperature <= 2 && { temperature }),
    ...(Array.isArray(stops) &&
      stops.every((one) => typeof one === 'string') && {
        stopSequences: stops.slice(0, MAX_STOPS),
      }),
  };
}

/** The text of a message: one block, or several that are all texts. */
function textOf(content: unknown): string | undefined {
  const blocks: unknown[] = Array.isArray(content) ? content : [content];
  const texts = blocks.map((block) =>
    ownProperty(block, 'type') === 'text' ? ownProperty(block, 'text') : undefined,
  );
  if (texts.length === 0 || !texts.every((text) => typeof text === 'string')) return;
  return texts.join('\n');
}
