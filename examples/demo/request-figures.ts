import { estimateTokens, type ToolDefinition } from '@toolfold/core';
import { type ModelIdentity, pricesOf } from '@toolfold/core/models';
import { type AuditableRequest, blocksOf, createPromptCache } from '@toolfold/testing';

/** The tokens of one request body. */
export interface RequestFigures {
  readonly sent: number;
  /** Those that the provider's documented cache serves. */
  readonly cached: number;
  /** All of them, weighted by the prices of the cache; undefined if these are not known. */
  readonly paid: number | undefined;
}

/** Tools that only deferral needs. A model that has all schemas does not call them. */
const FINDING = ['load_tools', 'tool_search', 'tool_describe'];

/** The price of a token that is written for an hour (Anthropic's page on prompt caching). */
const FOR_HOUR = 2;

/** Counts the requests to a model, in order: what is sent, what the cache serves, and what is paid. */
export function requestCounter(
  model: ModelIdentity,
): (request: AuditableRequest) => RequestFigures {
  const prices = pricesOf(model);
  const cache = createPromptCache({ countTokens: estimateTokens });
  return (request) => {
    const { input, cached, written, writtenForHour } = cache.send(request);
    const paid =
      prices &&
      input -
        cached -
        written +
        cached * prices.read +
        (written - writtenForHour) * prices.write +
        writtenForHour * FOR_HOUR;
    return { sent: input, cached, paid };
  };
}

/**
 * What requests with these tokens cost at least: the cache serves of each one all that the one before has sent.
 * Undefined if the prices of the model are not known.
 */
export function leastPaid(model: ModelIdentity, sent: readonly number[]): number | undefined {
  const prices = pricesOf(model);
  return (
    prices &&
    sent.reduce((paid, tokens, at) => {
      const before = sent[at - 1] ?? 0;
      return paid + before * prices.read + (tokens - before) * prices.write;
    }, 0)
  );
}

/**
 * The tokens of the same request with all schemas declared: without the catalog, the bridge tools, the calls
 * that find tools, and their results.
 */
export function eagerTokens(request: AuditableRequest, tools: readonly ToolDefinition[]): number {
  const schemas = tools.reduce((sum, tool) => sum + estimateTokens(JSON.stringify(tool)), 0);
  const finding = new Set<string>();
  const messages = blocksOf(request).filter(({ section, text, frame }) => {
    if (section !== 'messages') return false;
    const part = JSON.parse(text.split('\n')[0] ?? 'null');
    if (FINDING.includes(part?.name ?? part?.function?.name)) {
      finding.add(`"${part.call_id ?? part.id}"`);
      return false;
    }
    return ![...finding].some((id) => `${text}${frame}`.includes(id));
  });
  return messages.reduce((sum, { text }) => sum + estimateTokens(text), schemas);
}
