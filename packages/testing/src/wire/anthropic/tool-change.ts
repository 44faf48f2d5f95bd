import { isRecord } from '@toolfold/core/internal/tools/values';
import { recordsOf } from '../request/index.ts';

/** A `tool_addition` or `tool_removal` block of a system message. */
export interface ToolChange {
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
