import type { LanguageModel } from 'ai';
import type { AgentEvent } from '../../agent/index.ts';
import { identify } from '../../agent/settings/index.ts';
import { turnError } from '../../agent/turn/index.ts';
import { ToolfoldError } from '../../errors.ts';

/**
 * The events of a turn. If the provider refuses the key, the error says where the key came from.
 */
export async function* withKeyAdvice(
  events: AsyncIterable<AgentEvent>,
  model: LanguageModel,
  advice: string,
): AsyncIterable<AgentEvent> {
  for await (const event of events) yield withAdvice(event, model, advice);
}

function withAdvice(event: AgentEvent, model: LanguageModel, advice: string): AgentEvent {
  if (event.type !== 'end' || !(event.error instanceof ToolfoldError)) return event;
  const { code, cause } = event.error;
  return code === 'model-refused'
    ? { ...event, error: turnError(cause, identify(model), advice) }
    : event;
}
