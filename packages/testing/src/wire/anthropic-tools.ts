import { isRecord } from '@toolfold/core/internal/values';
import { duplicateOf, recordsOf } from './recorded-request.ts';
import type { RequestRefusal } from './wire-format.ts';

/** A `tool_addition` or `tool_removal` block of a system message. */
interface ToolChange {
  /** Path of the block: `messages.3.content.0`. */
  readonly at: string;
  /** Index of its message. */
  readonly message: number;
  readonly kind: 'addition' | 'removal';
  /** The type of the block's `tool`. */
  readonly form: string;
  /** Name of the tool; undefined for the tools of an MCP server. */
  readonly name?: string;
  readonly definition?: Record<string, unknown>;
}

/** The tool changes in the system messages of a body, in order. */
export function toolChanges(body: Readonly<Record<string, unknown>>): ToolChange[] {
  return recordsOf(body.messages).flatMap(({ role, content }, message) =>
    role !== 'system'
      ? []
      : recordsOf(content).flatMap((block, place) => {
          const change = readChange(block);
          return change === undefined
            ? []
            : [{ at: `messages.${message}.content.${place}`, message, ...change }];
        }),
  );
}

/** The names of the tools whose definitions the API shows at this content block. */
export function shownNames(block: Record<string, unknown>): string[] {
  const change = readChange(block);
  if (change?.kind === 'addition' && change.form === 'tool_reference') return [String(change.name)];
  return resultReferences(block);
}

/** Names in the `tool_reference` blocks of a tool result, from the app or from the API's tool search. */
export function resultReferences({ type, content }: Record<string, unknown>): string[] {
  const found =
    type === 'tool_search_tool_result' && isRecord(content)
      ? recordsOf(content.tool_references)
      : type === 'tool_result'
        ? recordsOf(content).filter((block) => block.type === 'tool_reference')
        : [];
  return found.map((block) => String(block.tool_name));
}

/** The deferred definitions of a body, by name. The API withholds them until a block refers to them. */
export function deferredDefinitions(
  body: Readonly<Record<string, unknown>>,
): ReadonlyMap<string, Record<string, unknown>> {
  return new Map(
    recordsOf(body.tools)
      .filter((tool) => tool.defer_loading === true)
      .map((tool) => [String(tool.name), tool]),
  );
}

function readChange(
  block: Record<string, unknown>,
): Omit<ToolChange, 'at' | 'message'> | undefined {
  if (block.type !== 'tool_addition' && block.type !== 'tool_removal') return undefined;
  const kind = block.type === 'tool_addition' ? 'addition' : 'removal';
  const tool = isRecord(block.tool) ? block.tool : {};
  const change = { kind, form: String(tool.type) } as const;
  if (change.form === 'tool_reference') return { ...change, name: String(tool.name) };
  const definition = tool.definition;
  if (change.form !== 'tool_definition' || !isRecord(definition)) return change;
  const name = definition.name;
  return { ...change, definition, ...(typeof name === 'string' && { name }) };
}

const TOOL_NAME = /^[a-zA-Z0-9_-]{1,128}$/;

/** freee/freee-mcp#15: the API's own words, with this pattern. Nested keys are not checked. */
const PROPERTY_KEY = /^[a-zA-Z0-9_.-]{1,64}$/;

/** Keywords that are refused at the root of a schema, in the words of anthropics/claude-code#5319. */
const NOT_AT_ROOT = ['oneOf', 'allOf', 'anyOf'];

/** Why the API would refuse the list of tools or the tool choice; undefined if it would not. */
export function toolsRefusal(body: Readonly<Record<string, unknown>>): string | undefined {
  const tools = recordsOf(body.tools);
  for (const [index, tool] of tools.entries()) {
    const refusal = definitionRefusal(tool, `tools.${index}`) ?? deferralRefusal(tool, index);
    if (refusal !== undefined) return refusal;
  }
  const names = tools.flatMap(({ name }) => (typeof name === 'string' ? [name] : []));
  if (duplicateOf(names) !== undefined) return 'tools: Tool names must be unique.';
  if (tools.length > 0 && tools.every((tool) => tool.defer_loading === true)) {
    return 'tools: At least one tool must not have `defer_loading` set.';
  }
  const choice = body.tool_choice;
  if (isRecord(choice) && choice.type === 'tool' && !names.includes(String(choice.name))) {
    return `Tool '${choice.name}' not found in provided tools`;
  }
  return undefined;
}

/** Why the API would refuse a definition in `tools` or in a message; undefined if it would not. */
function definitionRefusal(
  { type, name, input_schema: schema }: Record<string, unknown>,
  where: string,
): string | undefined {
  const custom = type === undefined || type === 'custom';
  if (typeof name === 'string' ? !TOOL_NAME.test(name) : custom) {
    return `${where}.custom.name: String should match pattern '${TOOL_NAME.source}'`;
  }
  return custom ? schemaRefusal(schema, `${where}.custom.input_schema`) : undefined;
}

function schemaRefusal(schema: unknown, where: string): string | undefined {
  if (!isRecord(schema) || schema.type !== 'object')
    return `${where}.type: Input should be 'object'`;
  if (NOT_AT_ROOT.some((keyword) => schema[keyword] !== undefined)) {
    return `${where}: input_schema does not support oneOf, allOf, or anyOf at the top level`;
  }
  const { properties } = schema;
  return isRecord(properties) && !Object.keys(properties).every((key) => PROPERTY_KEY.test(key))
    ? `${where}.properties: Property keys should match pattern '${PROPERTY_KEY.source}'`
    : undefined;
}

// Documented under "Tool search tool": a deferred tool cannot end a cached prefix and cannot be a
// search tool.
function deferralRefusal(tool: Record<string, unknown>, index: number): string | undefined {
  if (tool.defer_loading !== true) return undefined;
  if (isRecord(tool.cache_control)) {
    return `tools.${index}: \`cache_control\` cannot be set on a tool with \`defer_loading\`.`;
  }
  return String(tool.type).startsWith('tool_search_tool_')
    ? `tools.${index}: a tool search tool cannot have \`defer_loading\` set.`
    : undefined;
}

// Docs, "Mid-conversation system messages and tool changes". The second covers the first.
const CHANGES_BETA = 'mid-conversation-tool-changes-2026-07-01';
const INLINE_BETA = 'inline-tools-2026-09-15';
const REFERENCES = ['tool_reference', 'mcp_tool_reference', 'mcp_toolset_reference'];

/** Why the API would refuse the tool changes in system messages; undefined if it would not. */
export function changeRefusal(
  body: Readonly<Record<string, unknown>>,
  headers: Readonly<Record<string, string>>,
): RequestRefusal | undefined {
  const betas = (headers['anthropic-beta'] ?? '').split(',').map((beta) => beta.trim());
  const tools = recordsOf(body.tools);
  const changes = toolChanges(body);
  for (const change of changes) {
    const refusal = formRefusal(change, betas) ?? additionRefusal(change, tools);
    if (refusal !== undefined) return refusal;
  }
  return conflictRefusal(changes, tools);
}

function formRefusal({ at, kind, form }: ToolChange, betas: readonly string[]): string | undefined {
  const byValue = form === 'tool_definition' && kind === 'addition';
  if (!byValue && !REFERENCES.includes(form)) {
    return `${at}.tool_${kind}.tool: Input tag '${form}' does not match any of the expected tags.`;
  }
  const enough = byValue ? [INLINE_BETA] : [CHANGES_BETA, INLINE_BETA];
  return enough.some((beta) => betas.includes(beta))
    ? undefined
    : `${at}: \`tool_${kind}\` by \`${form}\` needs the beta header ${enough.join(' or ')}.`;
}

// The real API accepts the last two cases. A definition that is added as deferred stays withheld, which
// is never intended. If `tools` has no deferred tool, the first definition added by value changes the
// start of the rendered prompt, and the whole prefix is silently billed again, once (measured by the
// authors of pi). Both are refused here, so that tests detect them.
function additionRefusal(
  { at, form, definition }: ToolChange,
  tools: readonly Record<string, unknown>[],
): string | undefined {
  if (form !== 'tool_definition') return undefined;
  const where = `${at}.tool_addition.tool.definition`;
  if (definition === undefined) return `${where}: Field required`;
  const refusal = definitionRefusal(definition, where);
  if (refusal !== undefined) return refusal;
  if (definition.defer_loading === true) return `${where}: \`defer_loading\` withholds the tool.`;
  return tools.some((tool) => tool.defer_loading === true)
    ? undefined
    : `${at}: with no deferred tool in \`tools\`, the first definition added by value loses the cached prefix.`;
}

// A later definition replaces an earlier one of the same name, but only if both have the same kind.
function conflictRefusal(
  changes: readonly ToolChange[],
  tools: readonly Record<string, unknown>[],
): RequestRefusal | undefined {
  const code = 'tool_name_conflict';
  const custom = new Map(tools.map((tool) => [tool.name, isCustom(tool)]));
  const added = new Set<string>();
  for (const { at, message, kind, name, definition } of changes) {
    if (name === undefined || kind === 'removal') continue;
    const addition = `${message} ${name}`;
    if (added.has(addition)) {
      return { message: `${at}: '${name}' is added twice in one message.`, code };
    }
    added.add(addition);
    if (definition === undefined) continue;
    if (custom.has(name) && custom.get(name) !== isCustom(definition)) {
      return { message: `${at}: '${name}' is the name of a tool of another type.`, code };
    }
    custom.set(name, isCustom(definition));
  }
  return undefined;
}

function isCustom({ type }: Record<string, unknown>): boolean {
  return type === undefined || type === 'custom';
}
