import type { ToolRequest } from '@toolfold/core/internal/tools/calls';

/**
 * How the model got the schema of a tool. `inline`: declared in every request. `preloaded`: sent with the
 * user's words, before the model asked. `loaded`: the model asked for it. `native`: it asked for it, and
 * the schema was appended in the provider's own form.
 */
export type SchemaSource = 'inline' | 'preloaded' | 'loaded' | 'native';

/**
 * How the model got the schema of the tool, as of this request. Undefined if it has none. `preloaded`:
 * the tools that this request preloads.
 */
export function schemaSource(
  turn: ToolRequest,
  preloaded: readonly string[],
  name: string,
): SchemaSource | undefined {
  const { epoch, presentation, conversation } = turn;
  const isDeclared = presentation.tools.some((tool) => tool.name === name);
  if (isDeclared && epoch.strategy.defers === 'nothing') return 'inline';
  if (epoch.ownNames.includes(name)) return 'inline';
  if (epoch.groupTools.some((tool) => tool.name === name)) return 'inline';
  if (preloaded.includes(name) || isPreloaded(turn, name)) return 'preloaded';
  const delivery = presentation.deliveries.find(({ tools }) =>
    tools.some((tool) => tool.name === name),
  );
  // What the model asked for stands in the result of a call.
  if (delivery) return delivery.callId === undefined ? 'preloaded' : 'native';
  const isShown = conversation.shownSchemas.some((schema) => schema.name === name);
  return isDeclared || isShown ? 'loaded' : undefined;
}

/** Whether a text of the request shows the preloaded schema. The texts of an earlier epoch are not sent. */
export function isPreloaded({ conversation, presentation }: ToolRequest, name: string): boolean {
  const mark = `"name":${JSON.stringify(name)}`;
  return (
    conversation.preloaded.has(name) && presentation.inserts.some(({ text }) => text.includes(mark))
  );
}
