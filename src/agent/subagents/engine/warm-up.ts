import type { AgentEvent } from '../../events/index.ts';
import type { SubagentTask } from './engine.ts';

type Role = SubagentTask['role'];

/** Events that come before the model begins to answer. */
const BEFORE: readonly AgentEvent['type'][] = ['start', 'request', 'preload', 'warning', 'rounds'];

/**
 * Lets one child of each role start first. Children of one role share a prompt prefix, and a provider
 * has it in its cache once it begins to answer the first child (Anthropic, prompt caching, concurrent
 * requests).
 */
export class WarmUp {
  /** The first child of each role; undefined once its model has begun to answer. */
  readonly #ahead = new Map<Role, string | undefined>();

  /** Whether a task may start. */
  mayBegin({ role }: SubagentTask): boolean {
    return this.#ahead.get(role) === undefined;
  }

  /** Records the start of a task. Returns whether it is the first of its role. */
  begin({ role, child }: SubagentTask): boolean {
    if (this.#ahead.has(role)) return false;
    this.#ahead.set(role, child);
    return true;
  }

  /** Records an event of a child. Returns whether the others of its role may now start. */
  hasOpened({ role, child }: SubagentTask, event: AgentEvent): boolean {
    return !BEFORE.includes(event.type) && this.end({ role, child });
  }

  /** Records the end of a child. Returns whether the others of its role may now start. */
  end({ role, child }: Pick<SubagentTask, 'role' | 'child'>): boolean {
    if (this.#ahead.get(role) !== child) return false;
    this.#ahead.set(role, undefined);
    return true;
  }
}
