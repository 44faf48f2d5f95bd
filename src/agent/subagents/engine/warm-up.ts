import type { AgentEvent } from '../../events/index.ts';
import { Deadline } from '../../timing/index.ts';
import type { SubagentTask } from './engine.ts';

type Role = SubagentTask['role'];

/** Events that come before the model begins to answer. */
const BEFORE: readonly AgentEvent['type'][] = ['start', 'request', 'preload', 'warning', 'rounds'];

/** Maximum milliseconds that tasks wait for the first child of their role. */
const LIMIT = 10_000;

/**
 * Lets one child of each role start first. Children of one role share a prompt prefix, and a provider
 * has it in its cache once it begins to answer the first child (Anthropic, prompt caching, concurrent
 * requests).
 */
export class WarmUp {
  readonly #onReady: () => void;
  /** The first child of each role; undefined once the others may start. */
  readonly #first = new Map<Role, { child: string; limit: Deadline } | undefined>();

  /** `onReady`: called when tasks may start that waited for the first of their role. */
  constructor(onReady: () => void) {
    this.#onReady = onReady;
  }

  /** Whether a task may start. */
  mayBegin({ role }: SubagentTask): boolean {
    return this.#first.get(role) === undefined;
  }

  /** Records the start of a task. */
  begin(task: SubagentTask): void {
    const { role, child } = task;
    if (this.#first.has(role)) return;
    this.#first.set(role, { child, limit: new Deadline(LIMIT, () => this.end(task)) });
  }

  /** Records an event of a child. */
  take(task: SubagentTask, event: AgentEvent): void {
    if (!BEFORE.includes(event.type)) this.end(task);
  }

  /** Records that the others of its role need not wait for this child. */
  end({ role, child }: SubagentTask): void {
    const first = this.#first.get(role);
    if (first?.child !== child) return;
    first.limit.pause();
    this.#first.set(role, undefined);
    this.#onReady();
  }
}
