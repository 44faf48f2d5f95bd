import {
  bytesUpTo,
  formatNumber,
  ownProperties,
  ownProperty,
  parsedJson,
} from '@toolfold/core/internal/values';
import { type Endpoint, LOCAL_PORTS } from './providers.ts';

/** What an Ollama server says of the window of a model, in tokens. */
export interface OllamaWindow {
  /** The window with which the model is loaded, or will be. Undefined if the server has not decided it. */
  readonly used: number | undefined;
  /** The window for which the model was made. */
  readonly most: number | undefined;
}

/** Milliseconds for both questions together. */
const PATIENCE = 1_000;
/** A description holds the license and the template of the model. */
const MOST_BYTES = 5_000_000;

/** Whether an endpoint is one of Ollama, by its name or its port. */
export function isOllama({ provider, address, protocol }: Endpoint): boolean {
  if (protocol !== 'openai-compatible' || address === undefined) return false;
  return provider === 'ollama' || URL.parse(address)?.port === String(LOCAL_PORTS.ollama);
}

/**
 * Asks an Ollama server for the window of a model: `POST /api/show` and `GET /api/ps`, without a key
 * (https://github.com/ollama/ollama/blob/main/docs/api.md, read on 2026-11-28). A loaded model has the window
 * of `context_length`. One that is not loaded gets `num_ctx` of its Modelfile, else OLLAMA_CONTEXT_LENGTH, else a
 * default that depends on the memory. Never rejects, and takes at most a second.
 */
export async function ollamaWindow(
  address: string,
  modelId: string,
  signal?: AbortSignal,
): Promise<OllamaWindow> {
  const root = address.replace(/\/+$/, '').replace(/\/v1$/, '');
  const within = AbortSignal.any([AbortSignal.timeout(PATIENCE), ...(signal ? [signal] : [])]);
  const [shown, running] = await Promise.all([
    answer(`${root}/api/show`, within, { model: modelId }),
    answer(`${root}/api/ps`, within),
  ]);
  return { used: loadedWindow(running, modelId) ?? setWindow(shown), most: trainedWindow(shown) };
}

async function answer(url: string, signal: AbortSignal, body?: object): Promise<unknown> {
  try {
    const json = { 'content-type': 'application/json' };
    const post = body && { method: 'POST', headers: json, body: JSON.stringify(body) };
    const response = await fetch(url, { ...post, signal, redirect: 'error' });
    if (response.status !== 200 || response.body === null) {
      await response.body?.cancel();
      return;
    }
    const { bytes, isWhole } = await bytesUpTo(MOST_BYTES, response.body);
    return isWhole ? parsedJson(new TextDecoder().decode(bytes)) : undefined;
  } catch {
    return;
  }
}

/** `qwen3` means `qwen3:latest`. */
function loadedWindow(running: unknown, modelId: string): number | undefined {
  const models = ownProperty(running, 'models');
  if (!Array.isArray(models)) return;
  const names = [modelId, `${modelId}:latest`];
  const loaded = models.find(
    (one) =>
      names.includes(String(ownProperty(one, 'name'))) ||
      names.includes(String(ownProperty(one, 'model'))),
  );
  return tokens(ownProperty(loaded, 'context_length'));
}

/** Of the lines of `parameters`, such as `num_ctx                        8192`. */
function setWindow(shown: unknown): number | undefined {
  const parameters = ownProperty(shown, 'parameters');
  if (typeof parameters !== 'string') return;
  return tokens(Number(/^num_ctx\s+(\d{1,12})\s*$/m.exec(parameters)?.[1]));
}

/** Of `model_info`, which has it under the name of the architecture: `qwen3.context_length`. */
function trainedWindow(shown: unknown): number | undefined {
  const info = ownProperties(ownProperty(shown, 'model_info'));
  const of = info['general.architecture'];
  return typeof of === 'string' ? tokens(ownProperty(info, `${of}.context_length`)) : undefined;
}

function tokens(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isSafeInteger(value) && value > 0 ? value : undefined;
}

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
