import { inputText } from '../../host/index.ts';
import { Recent } from '../../tools/values/index.ts';

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
  readonly #kept = new Recent<{ readonly text: string; readonly times: number }>(LIMIT);

  keep(toolName: string, input: unknown, text: string): void {
    const key = keyOf(toolName, input);
    this.#kept.set(key, { text, times: (this.#kept.get(key)?.times ?? 0) + 1 });
  }

  /**
   * A validator for one tool. It refuses each call once: the SDK validates stored inputs again, and
   * those must pass.
   */
  validator(toolName: string): (value: unknown) => Validated {
    return (value) => {
      const key = keyOf(toolName, value);
      const kept = this.#kept.get(key);
      if (!kept) return { success: true, value };
      const { text, times } = kept;
      if (times > 1) this.#kept.set(key, { text, times: times - 1 });
      else this.#kept.delete(key);
      return { success: false, error: new Error(text) };
    };
  }
}

function keyOf(toolName: string, input: unknown): string {
  return JSON.stringify([toolName, inputText(input)]);
}
