import { OTHER_SEARCH_NAME, reservedNames } from '@toolfold/core/internal/tool';

/** The tools of Toolfold's own whose calls `useChat` shows, for `UIMessage<METADATA, DATA, BridgeUITools & …>`. */
export type BridgeUITools = Record<
  'load_tools' | 'tool_search' | 'tool_describe',
  { readonly input: unknown; readonly output: unknown }
>;

/** The type of a part of a UI message that is a load, a search or a description. */
export type BridgePartType = `tool-${keyof BridgeUITools}`;

const USUAL_NAMES: ReadonlySet<string> = new Set([...reservedNames({}), OTHER_SEARCH_NAME]);

/**
 * Whether a part of a UI message is a call of one of Toolfold's own tools, which a UI may hide and a store must keep.
 * `names`: `fold.bridgeNames(model)`, if the app renames these tools.
 */
export function isBridgePart<PART extends { readonly type: string }>(
  part: PART,
  names?: readonly string[],
): part is PART & { readonly type: BridgePartType } {
  const { type, toolName } = part as { readonly type: string; readonly toolName?: unknown };
  const isTool = type.startsWith('tool-');
  if (!isTool && type !== 'dynamic-tool') return false;
  const name = isTool ? type.slice('tool-'.length) : String(toolName);
  return names ? names.includes(name) : USUAL_NAMES.has(name);
}
