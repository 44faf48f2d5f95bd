import type { ToolDefinition } from '../tool/index.ts';
import type { BridgeNames } from './strategy.ts';

/** How an endpoint takes tools in mid-conversation, as far as it decides what a request contains. */
export interface AppendForm {
  /** Told apart in fingerprints: conversations in different forms are different bytes. */
  readonly id: string;
  /**
   * What `tools` must hold, out of the model's sight, from the first request on: every schema, so
   * that loads can refer to it; a placeholder; or nothing.
   */
  readonly declares: 'all' | 'placeholder' | 'nothing';
  /** Results of calls are the only way for schemas to come: notes cannot bring any. */
  readonly onlyResults?: true;
  /** Schemas may stand right behind the results that bring them, whatever follows. */
  readonly anywhere?: true;
  /** Names that bridge tools have in this form. */
  readonly names?: BridgeNames;
}

/** What is assumed of a host that asks for `native` and says no more: loads bring whole schemas. */
export const PLAIN_APPEND: AppendForm = { id: 'append', declares: 'nothing' };

/**
 * A tool that is declared and never shown. Anthropic adds text of its own to a prompt once it holds
 * a deferred tool, so one is there from the first request on (measured by the pi project, October
 * 2026: without it the first addition loses the cached prefix).
 */
export const PLACEHOLDER: ToolDefinition = {
  name: 'toolfold_placeholder',
  description: 'Not a tool. Holds a place.',
  parameters: { type: 'object', properties: {} },
};

/** Tools that one conversation may add, and bytes of their JSON (Anthropic documentation, November 2026). */
export const MAX_APPENDED_TOOLS = 10_000;
export const MAX_APPENDED_BYTES = 4_000_000;

/** Bytes that providers' own fields add to each definition at most, such as `"defer_loading":true`. */
const FRAME_BYTES = 80;

/** Counts what is appended, and takes no more than a conversation may hold. */
export class AppendBudget {
  #tools = 0;
  #bytes = 0;

  /** Whether a definition, as JSON, still fits; counts it if so. */
  take(json: string): boolean {
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

const COMBINING = ['anyOf', 'oneOf', 'allOf', 'enum', 'const', 'not', '$ref'];

/**
 * The definition as providers take it among tools: an object at the root, and nothing there that
 * combines schemas (Anthropic and OpenAI refuse both). Undefined where that would be another schema.
 */
export function declarable(tool: ToolDefinition): ToolDefinition | undefined {
  const { type } = tool.parameters;
  if (COMBINING.some((keyword) => Object.hasOwn(tool.parameters, keyword))) return;
  if (type === 'object') return tool;
  const mayBeObject = type === undefined || (Array.isArray(type) && type.includes('object'));
  return mayBeObject ? { ...tool, parameters: { ...tool.parameters, type: 'object' } } : undefined;
}
