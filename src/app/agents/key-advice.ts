import type { LanguageModel } from 'ai';
import { turnError } from '../../agent/events/index.ts';
import type { AgentEvent } from '../../agent/index.ts';
import { identify } from '../../agent/options/index.ts';
import { ToolfoldError } from '../../errors.ts';

/**
 * The events of a turn. If the provider refuses the key, the error says where the key came from.
 */
export async function* withKeyAdvice<EVENT extends AgentEvent>(
  events: AsyncIterable<EVENT>,
  model: LanguageModel,
  advice: string,
): AsyncIterable<EVENT> {
  for await (const event of events) yield withAdvice(event, model, advice);
}

function withAdvice<EVENT extends AgentEvent>(
  event: EVENT,
  model: LanguageModel,
  advice: string,
): EVENT {
  if (event.type !== 'end' || !(event.error instanceof ToolfoldError)) return event;
  const { code, cause } = event.error;
  return code === 'model-refused'
    ? { ...event, error: turnError(cause, identify(model), advice) }
    : event;
}
