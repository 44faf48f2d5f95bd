import type { ToolDefinition } from '../tool/index.ts';
import type { BridgeNames } from './strategy.ts';

/**
 * How an endpoint accepts tools in mid-conversation, as far as it affects the content of a
 * request.
 */
export interface AppendForm {
  /** Part of the fingerprint: conversations in different forms have different bytes. */
  readonly id: string;
  /**
   * What `tools` must hold from the first request on without showing it to the model: every
   * schema, so that loads can refer to it; a placeholder; or nothing.
   */
  readonly declares: 'all' | 'placeholder' | 'nothing';
  /** Schemas come with results of calls only, and not with notes. */
  readonly onlyResults?: true;
  /** Schemas may stand directly behind the result of their load, whatever follows. */
  readonly anywhere?: true;
  /** Names that bridge tools have in this form. */
  readonly names?: BridgeNames;
  /** The day, YYYY-MM-DD, on which a live run has proven the form on this model and host. `auto` uses no other form. */
  readonly proven?: string | undefined;
}

/** The form for a host that asks for `native` and names no form: loads bring whole schemas. */
export const PLAIN_APPEND: AppendForm = { id: 'append', declares: 'nothing' };

/**
 * A tool that is declared and never shown. Anthropic adds text of its own to a prompt that holds
 * a deferred tool. A deferred tool from the first request on keeps that text stable (measured by
 * the pi project, October 2026: otherwise the first addition loses the cached prefix).
 */
export const PLACEHOLDER: ToolDefinition = {
  name: 'toolfold_placeholder',
  description: 'Not a tool. Holds a place.',
  parameters: { type: 'object', properties: {} },
};

/** Tools that one conversation may add, and bytes of their JSON (Anthropic documentation, November 2026). */
const MAX_APPENDED_TOOLS = 10_000;
const MAX_APPENDED_BYTES = 4_000_000;

/** Bytes that providers' own fields add to each definition at most, such as `"defer_loading":true`. */
const FRAME_BYTES = 80;

/** Counts what is appended and refuses what exceeds the limits of a conversation. */
export class AppendBudget {
  #tools = 0;
  #bytes = 0;

  /** Whether a definition, as JSON, still fits; counts it if so. */
  reserve(json: string): boolean {
    const bytes = new TextEncoder().encode(json).length + FRAME_BYTES;
    if (this.#tools >= MAX_APPENDED_TOOLS || this.#bytes + bytes > MAX_APPENDED_BYTES) return false;
    this.#tools++;
    this.#bytes += bytes;
    return true;
  }

  copy(): AppendBudget {
    const copy = new AppendBudget();
    copy.#tools = this.#tools;
    copy.#bytes = this.#bytes;
    return copy;
  }
}
