import { formatNumber } from '@toolfold/core/internal/tools/values';
import type { OllamaWindow } from './ollama-window.ts';

/** The smallest window that is proposed. */
const LEAST = 8_192;

/** Warns once when a request does not fit the window of a model whose server cuts it without an error. */
export class WindowWatch {
  readonly #model: string;
  readonly #ask: () => Promise<OllamaWindow>;
  #asking: Promise<OllamaWindow> | undefined;
  #window: OllamaWindow | undefined;
  #isDone = false;

  /** `model`: its name, as `provider/name`. `ask`: asks the server, and never rejects. */
  constructor(model: string, ask: () => Promise<OllamaWindow>) {
    this.#model = model;
    this.#ask = ask;
  }

  /** Begins to ask when the first request is sent. Nobody waits for the answer. */
  begin(): void {
    if (this.#isDone) return;
    this.#asking ??= this.#ask();
  }

  /**
   * The warning about a request of this size, once its answer has come: then the server has loaded the model and
   * knows its window. Undefined if it fits, if the server does not say, or if it was said.
   */
  async warningOf(size: number): Promise<string | undefined> {
    if (this.#isDone) return;
    this.#window ??= await this.#known();
    const { used, most } = this.#window;
    // A server that does not answer is not asked again.
    if (used === undefined) this.#isDone = true;
    if (used === undefined || size <= used) return;
    this.#isDone = true;
    return warning(this.#model, size, used, most);
  }

  async #known(): Promise<OllamaWindow> {
    const first = await (this.#asking ?? this.#ask());
    // The model was not loaded when the request was sent.
    return first.used === undefined && first.most !== undefined ? this.#ask() : first;
  }
}

function warning(model: string, size: number, used: number, most = Infinity): string {
  const enough = Math.max(LEAST, 2 ** Math.ceil(Math.log2(size * 2)));
  const wanted = Math.min(enough, most);
  const what = `${model}: the request has about ${formatNumber(size)} tokens, and Ollama has loaded the model with a window of ${formatNumber(used)}. It cuts the rest off without an error, so the model misses instructions or tools.`;
  if (wanted < size)
    return `${what} The model takes at most ${formatNumber(wanted)}: choose another one, or offer it fewer tools.`;
  return `${what} Start Ollama with OLLAMA_CONTEXT_LENGTH=${wanted}, or set "PARAMETER num_ctx ${wanted}" in a Modelfile; then set "contextWindow": ${wanted} in models.${JSON.stringify(model)} of the configuration.`;
}
