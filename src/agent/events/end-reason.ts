import type { FinishReason } from 'ai';
import type { EndReason } from './events.ts';

/** What servers that speak another provider's format say of an answer that is whole. */
const WHOLE = /^(eos|eos_token|end_turn|stop_sequence|stop)$/i;

/**
 * How a turn has ended whose last answer ended so. `raw`: in the provider's own words; Anthropic's
 * `pause_turn`, which waits to be sent again, is an ordinary end to the AI SDK (@ai-sdk/anthropic 4).
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
