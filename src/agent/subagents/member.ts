import { own } from '../../tools/values/index.ts';
import { type AgentEvent, STATUSES } from '../events/index.ts';
import { Ledger } from '../usage/index.ts';
import type { Ending, SubagentResult, SubagentTask } from './engine/index.ts';
import type { SupervisedBatch } from './supervised-batch.ts';

/** What an engine is taken to have said that gives no result in its proper form. */
const NO_RESULT: Ending = {
  status: 'failed',
  text: '',
  error: 'The engine gave no proper result.',
};

/** A subagent of a team, from its task to its result. */
export class Member {
  readonly task: SubagentTask;
  /** What it is handed to an engine with. */
  readonly batch: SupervisedBatch;
  readonly finished: Promise<SubagentResult>;
  readonly #finish: (result: SubagentResult) => void;
  readonly #tell: (event: AgentEvent) => void;
  readonly #ledger = new Ledger();
  readonly #over = new AbortController();

  constructor(task: SubagentTask, batch: SupervisedBatch, tell: (event: AgentEvent) => void) {
    const { promise, resolve } = Promise.withResolvers<SubagentResult>();
    this.task = task;
    this.batch = batch;
    this.finished = promise;
    this.#finish = resolve;
    this.#tell = tell;
  }

  /** Fires when it has ended: nobody waits for answers to its questions. */
  get over(): AbortSignal {
    return this.#over.signal;
  }

  /** Tells what it does, and counts what that costs. */
  tell(event: AgentEvent): void {
    this.#ledger.take(event);
    this.#tell(event);
  }

  /** The first result counts. */
  end(told: Ending): void {
    if (this.over.aborted) return;
    this.#over.abort();
    const { child, id } = this.task;
    const { status, text, error } = isEnding(told) ? told : NO_RESULT;
    const why = error === undefined ? {} : { error };
    const { spent } = this.#ledger;
    this.#tell({ type: 'subagent-end', child, task: id, status, ...why, spent });
    this.#finish({ child, id, status, text, ...why });
  }
}

function isEnding(told: unknown): told is Ending {
  const [status, text, error] = [own(told, 'status'), own(told, 'text'), own(told, 'error')];
  const isKnown = (STATUSES as readonly unknown[]).includes(status);
  return isKnown && typeof text === 'string' && ['string', 'undefined'].includes(typeof error);
}
