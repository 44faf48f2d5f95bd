import { oncePerKey, oneLine, Recent } from '@toolfold/core/internal/tools/values';
import type { ToolSet } from 'ai';
import { harmless } from './app-functions.ts';

/** How many warnings are remembered, so that the console shows each once. */
const KEPT = 1_000;
/** The most characters of a warning on the console. It may hold texts of servers and models. */
const LENGTH = 2_000;

/**
 * Where warnings of a fold go: to the app's function, to nobody, or to the console, each once. If the
 * app's function fails, the console says so once.
 */
export function warningsTo(
  onWarning: ((text: string) => void) | false | undefined,
): (text: string) => void {
  if (onWarning === false) return () => {};
  const own = harmless('onWarning', onWarning, oncePerKey(toConsole));
  if (own) return own;
  const said = new Recent<true>(KEPT);
  return (text) => {
    if (said.get(text)) return;
    said.set(text, true);
    toConsole(text);
  };
}

function toConsole(text: string): void {
  console.warn(`toolfold: ${oneLine(text, LENGTH)}`);
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

type ModelId = { readonly provider: string; readonly modelId: string };

/** Warnings about `native` where it is replaced, once for each model and form. */
export class NativeWarnings {
  readonly #warn: (text: string) => void;
  readonly #once: (key: string, text: string) => void;

  constructor(warn: (text: string) => void) {
    this.#warn = warn;
    this.#once = oncePerKey(warn);
  }

  /** No form is known for a model for which the app asks for `native`. */
  warnOfUnknownModel({ provider, modelId }: ModelId): void {
    const name = `${provider}/${modelId}`;
    this.#once(
      name,
      `"native" was asked for, and "dispatch" is used: no way to add tools in mid-conversation is known for ${name}. If its endpoint has one, say so in \`capabilities\`; else leave out \`strategy\`, or name "dispatch".`,
    );
  }

  /** The endpoint refused a form. `forAll`: it is not tried again for this model. */
  warnOfRefusal({ provider, modelId }: ModelId, form: string, why: string, forAll: boolean): void {
    const scope = forAll
      ? 'in all conversations with this model'
      : 'for the rest of this conversation';
    const remedy = forAll
      ? ' To avoid the refused request, give this model a row without forms in `capabilities`.'
      : '';
    this.#warn(
      `${provider}/${modelId} refused tools in mid-conversation (${form}): ${why}; dispatch is used ${scope}.${remedy}`,
    );
  }
}
