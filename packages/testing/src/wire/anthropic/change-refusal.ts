import type { Refusal } from '../format/index.ts';
import { recordsOf } from '../request/index.ts';
import { type ToolChange, toolChanges } from './tool-change.ts';
import { definitionRefusal } from './tools-refusal.ts';

// Docs, "Mid-conversation system messages and tool changes". The second covers the first.
const CHANGES_BETA = 'mid-conversation-tool-changes-2026-07-01';
const INLINE_BETA = 'inline-tools-2026-09-15';
const REFERENCES = ['tool_reference', 'mcp_tool_reference', 'mcp_toolset_reference'];

/** Why the API would refuse the tool changes in system messages; undefined if it would not. */
export function changeRefusal(
  body: Readonly<Record<string, unknown>>,
  headers: Readonly<Record<string, string>>,
): Refusal | undefined {
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
): Refusal | undefined {
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
