import { inputText } from '@toolfold/core/internal/host/input-text';
import { Recent } from '@toolfold/core/internal/tools/values';

type Validated =
  | { readonly success: true; readonly value: unknown }
  | { readonly success: false; readonly error: Error };

/** Maximum number of pending inputs. The oldest are dropped. */
const LIMIT = 1_000;

/**
 * Inputs from the model that were found invalid, with the answer for the model. The SDK's validator
 * refuses them too, so that the app's `repairToolCall` gets them. The validator sees only the input,
 * so the input is the key. The tool itself refuses an input that was dropped here.
 */
export class InvalidInputs {
  readonly #kept = new Recent<{ readonly text: string; readonly times: number }>(LIMIT);

  keep(toolName: string, input: unknown, text: string): void {
    const key = keyOf(toolName, input);
    this.#kept.set(key, { text, times: (this.#kept.get(key)?.times ?? 0) + 1 });
  }

  /**
   * A validator for one tool. It refuses each call once, because the SDK validates stored inputs again
   * and these must be valid.
   */
  validator(toolName: string): (value: unknown) => Validated {
    return (value) => {
      if (this.#kept.size === 0) return { success: true, value };
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
