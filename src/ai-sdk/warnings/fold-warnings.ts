import type { ToolSet } from 'ai';

/** Where warnings of a fold go: to the app's function, to nobody, or to the console. */
export function warningsTo(
  onWarning: ((text: string) => void) | false | undefined,
): (text: string) => void {
  if (onWarning === false) return () => {};
  return onWarning ?? ((text) => console.warn(`toolfold: ${text}`));
}

/** Warns about tools of the AI SDK's own search, which finds nothing among Toolfold's tools. */
export function warnOfToolSearch(tools: ToolSet, warn: (text: string) => void): void {
  const key = Symbol.for('vercel.ai.toolSearch');
  for (const [name, tool] of Object.entries(tools))
    if (Reflect.get(tool, key) === true)
      warn(
        `"${name}" is the AI SDK's toolSearch(), which finds nothing here: Toolfold loads deferred tools itself. Remove it from \`tools\`.`,
      );
}
