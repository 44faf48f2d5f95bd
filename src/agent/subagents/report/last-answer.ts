import { ownProperty } from '../../../tools/values/index.ts';
import type { AgentEvent, EndReason } from '../../events/index.ts';
import { failureText, type WorkResult } from '../engine/index.ts';
import { hasContent } from './answer.ts';

/** Maximum characters of an answer that are passed on: far more than a report has room for. */
const MAX_PASSED_ON = 200_000;

/** Why an answer may be incomplete. */
const CUT_SHORT: Readonly<Partial<Record<EndReason, string>>> = {
  rounds: 'It used all its tool rounds',
  length: "It was cut off at the model's limit",
  'content-filter': "It was stopped by the provider's filter",
  other: 'Its provider ended it for an unknown reason',
};

/** Collects the last answer of one child from its events. */
export class LastAnswer {
  /** Text of the latest request. Text before tool calls is not the final answer. */
  #latest = '';
  #previous = '';
  #end: Extract<AgentEvent, { type: 'end' }> | undefined;
  /** Fires when the answer is too long. */
  readonly #flood: AbortSignal;

  constructor(flood: AbortSignal) {
    this.#flood = flood;
  }

  take(event: AgentEvent): void {
    if (event.type === 'request') {
      this.#previous = this.#text();
      this.#latest = '';
    }
    if (event.type === 'text') this.#latest += event.text;
    if (event.type === 'end') this.#end = event;
  }

  result(): WorkResult {
    const text = this.#text().slice(0, MAX_PASSED_ON);
    if (this.#flood.aborted) {
      return { status: 'incomplete', text, error: 'It was stopped: its answer was too long.' };
    }
    const { reason, error } = this.#end ?? { reason: 'cancelled' as const, error: undefined };
    if (reason === 'error') return { status: 'failed', text, error: messageOf(error) };
    const why = CUT_SHORT[reason];
    if (!hasContent(text)) {
      return { status: 'failed', text: '', error: `${why ?? 'It ended'} without an answer.` };
    }
    return why === undefined
      ? { status: 'done', text }
      : { status: 'incomplete', text, error: `${why}: the answer may be partial.` };
  }

  #text(): string {
    return hasContent(this.#latest) ? this.#latest : this.#previous;
  }
}

/** The message of an error, with the HTTP status if it has one. */
function messageOf(error: unknown): string {
  const status = ownProperty(error, 'statusCode');
  const message = failureText(error);
  return typeof status === 'number' ? `${message} (status ${status})` : message;
}
