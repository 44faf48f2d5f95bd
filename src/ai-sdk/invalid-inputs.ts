import { inputText } from '../host/index.ts';
import { Recent } from '../tools/recent.ts';

type Validated =
  | { readonly success: true; readonly value: unknown }
  | { readonly success: false; readonly error: Error };

/** Inputs under way at once, at most; older ones are forgotten. */
const LIMIT = 1_000;

/**
 * Inputs that were found invalid when they came from the model, with what the model is told: the
 * SDK's validator, which sees nothing but an input, refuses them too, so that the app's repair gets
 * them. One that is forgotten is refused where its tool runs.
 */
export class InvalidInputs {
  readonly #texts = new Recent<string>(LIMIT);

  keep(toolName: string, input: unknown, text: string): void {
    this.#texts.set(keyOf(toolName, input), text);
  }

  /** A validator for one tool. It refuses once: the SDK validates stored inputs again, and those must pass. */
  validator(toolName: string): (value: unknown) => Validated {
    return (value) => {
      const key = keyOf(toolName, value);
      const text = this.#texts.get(key);
      this.#texts.delete(key);
      return text === undefined
        ? { success: true, value }
        : { success: false, error: new Error(text) };
    };
  }
}

function keyOf(toolName: string, input: unknown): string {
  return JSON.stringify([toolName, inputText(input)]);
}
