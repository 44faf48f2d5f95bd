import type { BridgeNames } from './strategies.ts';
import type { ToolDefinition } from './tool.ts';

/** What an endpoint accepts among the tools that a request declares. */
export interface AcceptedTools {
  /** The endpoint, as warnings and `explain` name it. It identifies the rules. */
  readonly by: string;
  /** The rule that a tool breaks, as a clause. The answer for a definition is always the same. */
  readonly brokenRule: (tool: ToolDefinition) => string | undefined;
  /** The most tools that a request may declare. */
  readonly most?: number;
  /** More tools have failed, without a documented limit: `auto` does not declare them. */
  readonly mostForAuto?: number;
  /** Longer descriptions may be refused. */
  readonly descriptionLength?: number;
}

const COMBINING = ['anyOf', 'oneOf', 'allOf', 'enum', 'const', 'not', '$ref'];

/** The rules for hosts that say nothing of their endpoint: a plain object at the root. */
export const STRICT: AcceptedTools = {
  by: 'a provider',
  brokenRule: ({ parameters }) =>
    parameters.type !== 'object' || isCombined(parameters)
      ? 'the root of its schema is not a plain object'
      : undefined,
};

/** A tool in the form in which it may be declared, or the rule that it breaks. */
export type Declarable =
  | { readonly tool: ToolDefinition; readonly problem?: undefined }
  | { readonly tool?: undefined; readonly problem: string };

/** A definition does not change, and is sent with every request. */
const judged = new WeakMap<AcceptedTools, Record<'typed' | 'asItIs', Verdicts>>();

type Verdicts = WeakMap<ToolDefinition, Declarable>;

/**
 * Whether an endpoint takes a tool among the declared ones. A schema without a type gets one where that
 * does not change its meaning; with `asItIs` it does not, because somebody else sends the tool.
 */
export function declarable(
  tool: ToolDefinition,
  accepted: AcceptedTools | undefined,
  { asItIs = false }: { readonly asItIs?: boolean } = {},
): Declarable {
  if (!accepted) return { tool };
  const all = judged.get(accepted) ?? { typed: new WeakMap(), asItIs: new WeakMap() };
  judged.set(accepted, all);
  const known = asItIs ? all.asItIs : all.typed;
  const verdict = known.get(tool) ?? judge(asItIs ? tool : withObjectRoot(tool), accepted);
  known.set(tool, verdict);
  return verdict;
}

function judge(tool: ToolDefinition, { by, brokenRule }: AcceptedTools): Declarable {
  const rule = brokenRule(tool);
  return rule === undefined
    ? { tool }
    : { problem: `${by} does not accept it among declared tools: ${rule}` };
}

/** The definition with a root that says that it is an object, if it can be nothing else. */
export function withObjectRoot(tool: ToolDefinition): ToolDefinition {
  const { parameters } = tool;
  const { type } = parameters;
  const mayBeObject = type === undefined || (Array.isArray(type) && type.includes('object'));
  return mayBeObject && !isCombined(parameters)
    ? { ...tool, parameters: { ...parameters, type: 'object' } }
    : tool;
}

function isCombined(schema: ToolDefinition['parameters']): boolean {
  return COMBINING.some((keyword) => Object.hasOwn(schema, keyword));
}

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
