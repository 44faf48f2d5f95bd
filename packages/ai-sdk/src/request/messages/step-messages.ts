import { Bridges } from '@toolfold/core/internal/tools/strategies';
import type { ModelMessage } from 'ai';
import { splitRounds } from './split-rounds.ts';

const bridges = new Bridges({}, undefined);

/**
 * Messages of a fold for a model without one, such as a model that writes titles: loads that were answered
 * inside a model call become ordinary calls with results. Some providers refuse messages in which a
 * provider's own call has no result of its own. Other messages stay as they are.
 */
export function stepMessages(messages: readonly ModelMessage[]): ModelMessage[] {
  return [...splitRounds(messages, (name) => bridges.kinds.get(name) !== undefined)];
}
