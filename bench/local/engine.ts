/** llama.cpp on the processor, with one sequence whose KV cache is kept between requests. */
import { pathToFileURL } from 'node:url';
import type { Packages } from './packages.ts';

export type Token = number;

interface Sequence {
  /** Number of tokens in the cache. */
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

/** The used part of `node-llama-cpp`. Its own types are absent if it is not installed. */
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

/** The figures of one prompt. */
export interface Prefill {
  /** Tokens that the engine processed. */
  readonly processed: number;
  /** Tokens at the beginning that were already in the cache. */
  readonly reused: number;
  readonly cpuSeconds: number;
}

/** An engine that processes prompts. */
export interface Engine {
  /** Tokens that fit the context window. */
  readonly window: number;
  tokenize(text: string): readonly Token[];
  /** Processes a prompt. Reuses the prefix that it has in common with the previous prompt. */
  prefill(tokens: readonly Token[]): Promise<Prefill>;
  /** Clears the cache for another conversation. */
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
    // The last token is always processed, because the model's answer starts from it. The cache is
    // not
    // shifted, as in the default of llama.cpp's server.
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
