/** llama.cpp on the processor, with one sequence whose KV cache is kept between requests. */
import { pathToFileURL } from 'node:url';
import type { Packages } from './packages.ts';

export type Token = number;

interface Sequence {
  /** How many tokens the cache holds. */
  readonly nextTokenIndex: number;
  adaptStateToTokens(tokens: readonly Token[], allowShift: boolean): Promise<void>;
  evaluateWithoutGeneratingNewTokens(tokens: readonly Token[]): Promise<void>;
  clearHistory(): Promise<void>;
}

interface Model {
  tokenize(text: string, specialTokens: boolean): readonly Token[];
  createContext(options: {
    readonly contextSize: number;
    readonly sequences: number;
    readonly threads: number;
  }): Promise<{ getSequence(): Sequence }>;
}

/** What is used of `node-llama-cpp`, whose own types are not there where it is not installed. */
interface Library {
  getLlama(options: {
    readonly gpu: false;
    readonly build: 'never';
    readonly logLevel: 'error';
    readonly maxThreads: number;
  }): Promise<AsyncDisposable & Llama>;
}

interface Llama {
  loadModel(options: { readonly modelPath: string }): Promise<Model>;
  dispose(): Promise<void>;
}

/** What one prompt took. */
export interface Prefill {
  /** Tokens that had to be processed. */
  readonly processed: number;
  /** Tokens at the beginning that the cache held already. */
  readonly reused: number;
  readonly cpuSeconds: number;
}

/** What processes prompts. */
export interface Engine {
  /** Tokens that fit. */
  readonly window: number;
  tokenize(text: string): readonly Token[];
  /** Processes a prompt; what it has in common with the beginning of the one before is reused. */
  prefill(tokens: readonly Token[]): Promise<Prefill>;
  /** Forgets everything, for another conversation. */
  clear(): Promise<void>;
}

export class LlamaEngine implements Engine {
  readonly window: number;
  readonly #llama: Llama;
  readonly #model: Model;
  readonly #sequence: Sequence;

  private constructor(window: number, llama: Llama, model: Model, sequence: Sequence) {
    this.window = window;
    this.#llama = llama;
    this.#model = model;
    this.#sequence = sequence;
  }

  static async start(packages: Packages, window: number, threads: number): Promise<LlamaEngine> {
    const library: Library = await import(pathToFileURL(packages.engine.file).href);
    const llama = await library.getLlama({
      gpu: false,
      build: 'never',
      logLevel: 'error',
      maxThreads: threads,
    });
    const model = await llama.loadModel({ modelPath: packages.weights.file });
    const context = await model.createContext({ contextSize: window, sequences: 1, threads });
    return new LlamaEngine(window, llama, model, context.getSequence());
  }

  tokenize(text: string): readonly Token[] {
    return this.#model.tokenize(text, true);
  }

  async prefill(tokens: readonly Token[]): Promise<Prefill> {
    // The last token is always processed: the model's answer begins from it. Nothing is shifted,
    // as in llama.cpp's server by default.
    await this.#sequence.adaptStateToTokens(tokens.slice(0, -1), false);
    const reused = this.#sequence.nextTokenIndex;
    const before = process.cpuUsage();
    await this.#sequence.evaluateWithoutGeneratingNewTokens(tokens.slice(reused));
    const { user, system } = process.cpuUsage(before);
    return { processed: tokens.length - reused, reused, cpuSeconds: (user + system) / 1e6 };
  }

  clear(): Promise<void> {
    return this.#sequence.clearHistory();
  }

  stop(): Promise<void> {
    return this.#llama.dispose();
  }
}
