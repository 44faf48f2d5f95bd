import type { ToolDefinition } from '../tool/index.ts';

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
