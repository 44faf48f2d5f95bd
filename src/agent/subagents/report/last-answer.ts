import { errorMessage } from '../../../errors.ts';
import { own } from '../../../tools/values/index.ts';
import type { AgentEvent, EndReason } from '../../events/index.ts';
import type { WorkResult } from '../engine/index.ts';
import { isSaying } from './answer.ts';

/** Characters of an answer that are passed on: far more than a report has room for. */
const MAX_PASSED_ON = 200_000;

/** Why an answer may not be whole. */
const CUT_SHORT: Readonly<Partial<Record<EndReason, string>>> = {
  rounds: 'It used all its rounds of tools',
  length: "It was cut off at the model's limit",
  'content-filter': "It was stopped by the provider's filter",
  other: 'Its provider ended it, and not as usual',
};

/** The last answer of one child, as far as it has come. */
export class LastAnswer {
  /** What the latest request has brought; what it says between calls is no answer. */
  #latest = '';
  #said = '';
  #end: Extract<AgentEvent, { type: 'end' }> | undefined;
  /** Fires when the answer has no end. */
  readonly #flood: AbortSignal;

  constructor(flood: AbortSignal) {
    this.#flood = flood;
  }

  take(event: AgentEvent): void {
    if (event.type === 'request') {
      this.#said = this.#text();
      this.#latest = '';
    }
    if (event.type === 'text') this.#latest += event.text;
    if (event.type === 'end') this.#end = event;
  }

  result(): WorkResult {
    const text = this.#text().slice(0, MAX_PASSED_ON);
    if (this.#flood.aborted) {
      return { status: 'incomplete', text, error: 'It was stopped: its answer had no end.' };
    }
    const { reason, error } = this.#end ?? { reason: 'cancelled' as const, error: undefined };
    if (reason === 'error') return { status: 'failed', text, error: told(error) };
    const why = CUT_SHORT[reason];
    if (!isSaying(text)) {
      return { status: 'failed', text: '', error: `${why ?? 'It ended'} without an answer.` };
    }
    return why === undefined
      ? { status: 'done', text }
      : { status: 'incomplete', text, error: `${why}: the answer may be partial.` };
  }

  #text(): string {
    return isSaying(this.#latest) ? this.#latest : this.#said;
  }
}

/** The message of an error, with the status of the response where it was one. */
function told(error: unknown): string {
  const status = own(error, 'statusCode');
  const message = errorMessage(error);
  return typeof status === 'number' ? `${message} (status ${status})` : message;
}
