import type { FinishReason } from 'ai';
import type { EndReason } from './events.ts';

/** Finish reasons of servers that imitate another provider's format, for a complete answer. */
const WHOLE = /^(eos|eos_token|end_turn|stop_sequence|stop)$/i;

/**
 * Maps the finish reason of the last answer to the end reason of the turn. `raw`: the provider's own
 * finish reason. The AI SDK (@ai-sdk/anthropic 4) reports Anthropic's `pause_turn` as `stop`, but the
 * provider waits for the messages to be sent again.
 */
export function endReasonOf(reason: FinishReason, raw: string | undefined): EndReason {
  switch (reason) {
    case 'stop':
      return raw === 'pause_turn' ? 'other' : 'done';
    case 'tool-calls':
      return 'rounds';
    case 'length':
    case 'content-filter':
    case 'error':
      return reason;
    default:
      return raw !== undefined && WHOLE.test(raw) ? 'done' : 'other';
  }
}
