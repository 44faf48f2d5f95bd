import { ownProperty } from '../../tools/values/index.ts';
import { type AgentEvent, STATUSES } from '../events/index.ts';
import { Ledger } from '../usage/index.ts';
import type { Ending, SubagentResult, SubagentTask } from './engine/index.ts';
import type { SupervisedBatch } from './supervised-batch.ts';

/** Replaces a malformed result of an engine. */
const NO_RESULT: Ending = {
  status: 'failed',
  text: '',
  error: 'The engine returned an invalid result.',
};

/** A subagent of a team, from its task to its result. */
export class Member {
  readonly task: SubagentTask;
  /** The batch that runs it. */
  readonly batch: SupervisedBatch;
  readonly finished: Promise<SubagentResult>;
  readonly #finish: (result: SubagentResult) => void;
  readonly #emit: (event: AgentEvent) => void;
  readonly #ledger = new Ledger();
  readonly #over = new AbortController();

  constructor(task: SubagentTask, batch: SupervisedBatch, emit: (event: AgentEvent) => void) {
    const { promise, resolve } = Promise.withResolvers<SubagentResult>();
    this.task = task;
    this.batch = batch;
    this.finished = promise;
    this.#finish = resolve;
    this.#emit = emit;
  }

  /** Fires when the subagent has ended. Its open questions then need no answer. */
  get over(): AbortSignal {
    return this.#over.signal;
  }

  /** Emits an event of the subagent and counts its cost. */
  emit(event: AgentEvent): void {
    this.#ledger.take(event);
    this.#emit(event);
  }

  /** Ends the subagent with a result. Later results are ignored. */
  end(result: Ending): void {
    if (this.over.aborted) return;
    this.#over.abort();
    const { child, id } = this.task;
    const { status, text, error } = isEnding(result) ? result : NO_RESULT;
    const why = error === undefined ? {} : { error };
    const { spent } = this.#ledger;
    this.#emit({ type: 'subagent-end', child, task: id, status, ...why, spent });
    this.#finish({ child, id, status, text, ...why });
  }
}

function isEnding(value: unknown): value is Ending {
  const [status, text, error] = [
    ownProperty(value, 'status'),
    ownProperty(value, 'text'),
    ownProperty(value, 'error'),
  ];
  const isKnown = (STATUSES as readonly unknown[]).includes(status);
  return isKnown && typeof text === 'string' && ['string', 'undefined'].includes(typeof error);
}
