import type { AgentEvent } from '../../events/index.ts';
import type { SubagentTask } from './engine.ts';

type Role = SubagentTask['role'];

/** What comes before a model has begun to answer. */
const BEFORE: readonly AgentEvent['type'][] = ['start', 'request', 'preload', 'warning', 'rounds'];

/**
 * Lets one child of each role go ahead. Children of one role send the same beginning, which a provider
 * has in its cache as soon as it begins to answer the first of them (Anthropic, prompt caching,
 * concurrent requests).
 */
export class WarmUp {
  /** By role, the child that goes ahead; none once its model has answered. */
  readonly #ahead = new Map<Role, string | undefined>();

  /** Whether a task may begin. */
  mayBegin({ role }: SubagentTask): boolean {
    return this.#ahead.get(role) === undefined;
  }

  /** It begins: whether it goes ahead, as the first of its role. */
  begin({ role, child }: SubagentTask): boolean {
    if (this.#ahead.has(role)) return false;
    this.#ahead.set(role, child);
    return true;
  }

  /** Takes in what a child does; whether the others of its role may now begin. */
  hasOpened({ role, child }: SubagentTask, event: AgentEvent): boolean {
    return !BEFORE.includes(event.type) && this.end({ role, child });
  }

  /** It has ended; whether the others of its role may now begin. */
  end({ role, child }: Pick<SubagentTask, 'role' | 'child'>): boolean {
    if (this.#ahead.get(role) !== child) return false;
    this.#ahead.set(role, undefined);
    return true;
  }
}
