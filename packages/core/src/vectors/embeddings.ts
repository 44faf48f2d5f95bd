import type { HybridOptions } from './options.ts';

const names = new WeakMap<object, string>();
let count = 0;

/**
 * A text as it is, a model of the AI SDK by provider and id. Any other object has a name of its own, which holds
 * as long as the process.
 */
function modelName(model: unknown): string {
  if ((typeof model !== 'object' && typeof model !== 'function') || model === null)
    return String(model);
  const { provider, modelId } = model as { provider?: unknown; modelId?: unknown };
  if (typeof provider === 'string' && typeof modelId === 'string') return `${provider}/${modelId}`;
  const name = names.get(model) ?? `unnamed model ${++count}`;
  names.set(model, name);
  return name;
}

/**
 * An embedding in the length 1. Empty for one of zeros, which has no direction. Undefined for anything but a
 * non-empty array of finite numbers.
 */
function readVector(embedding: unknown): Float32Array | undefined {
  if (!Array.isArray(embedding) && !ArrayBuffer.isView(embedding)) return;
  const values: unknown[] = Array.from(embedding as ArrayLike<unknown>);
  if (values.length === 0 || !values.every(isFiniteNumber)) return;
  const largest = values.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
  if (largest === 0) return new Float32Array();
  // Scaled first: the square of a large number would be infinite.
  const scaled = values.map((value) => value / largest);
  const length = Math.sqrt(scaled.reduce((sum, value) => sum + value * value, 0));
  return Float32Array.from(scaled, (value) => value / length);
}

/** The similarity of two vectors of the same dimensions. */
export function dot(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += (a[i] ?? 0) * (b[i] ?? 0);
  return sum;
}

function isFiniteNumber(value: unknown): value is number {
  return Number.isFinite(value);
}

/** The most texts in one call of the embedder. */
const AT_ONCE = 100;
const TIMEOUT_MS = 10_000;
/** The longest time of a timer; a longer one would fire at once. */
const LONGEST = 2 ** 31 - 1;

/**
 * Returns a function that gets the vectors of texts, from the cache or the embedder, and passes them to `keep`
 * as they arrive. It rejects if the embedder fails or the time is over; what arrives later is passed on too.
 * A text that is being embedded is not embedded again.
 */
export function createEmbeddings<MODEL>(
  options: HybridOptions<MODEL>,
  keep: (text: string, vector: Float32Array) => void,
): (texts: readonly string[]) => Promise<void> {
  const { embed, model, cache, timeoutMs = TIMEOUT_MS, onError = () => {} } = options;
  const prefix = `${modelName(model)}\n`;
  /** The calls that will give the vectors of texts. */
  const running = new Map<string, Promise<void>>();

  /** Takes what the cache has, and returns the other texts. One failure of the cache is reported. */
  function withoutCached(texts: readonly string[]): string[] {
    const cached = texts.map((text) => outcomeOf(() => cache?.get(prefix + text)));
    Promise.all(cached).catch(onError);
    return texts.filter((text, i) => {
      const vector = readVector(cached[i]);
      if (vector) keep(text, vector);
      return vector === undefined;
    });
  }

  async function ask(values: readonly string[]): Promise<void> {
    const answer = await embed({ model, values: [...values] });
    // An embedder may give anything, whatever its type says.
    const embeddings = answer?.embeddings;
    const vectors = readVectors(embeddings, values.length);
    const stored = values.map((text, i) =>
      outcomeOf(() => cache?.set(prefix + text, embeddings[i] ?? [])),
    );
    Promise.all(stored).catch(onError);
    for (const [i, vector] of vectors.entries()) keep(values[i] ?? '', vector);
  }

  /** Asks for the texts in one call after the other. After a failed call there is no other. */
  function start(texts: readonly string[]): void {
    let last: Promise<void> | undefined;
    for (let at = 0; at < texts.length; at += AT_ONCE) {
      const values = texts.slice(at, at + AT_ONCE);
      // A call that takes too long is given up, so that a later search may ask again.
      const askInTime = () => inTime(ask(values), timeoutMs);
      const call = last ? last.then(askInTime) : askInTime();
      for (const text of values) running.set(text, call);
      const end = () => {
        for (const text of values) running.delete(text);
      };
      call.then(end, end);
      last = call;
    }
  }

  return async (texts) => {
    start(withoutCached([...new Set(texts)].filter((text) => !running.has(text))));
    const calls = new Set(texts.map((text) => running.get(text)));
    await inTime(Promise.all(calls), timeoutMs);
  };
}

/** The vectors of an answer. Throws if there is not one for each text, or one of them is unusable. */
function readVectors(embeddings: unknown, count: number): Float32Array[] {
  if (!Array.isArray(embeddings)) throw new Error('The embedder gave no array `embeddings`.');
  if (embeddings.length !== count)
    throw new Error(`The embedder gave ${embeddings.length} embeddings for ${count} texts.`);
  return Array.from(embeddings, (embedding, i) => {
    const vector = readVector(embedding);
    if (vector) return vector;
    const which = `Embedding ${i + 1} of ${count}`;
    throw new Error(`${which} of the embedder is not a non-empty array of finite numbers.`);
  });
}

/** What a function returns. What it throws is a rejection. */
function outcomeOf(run: () => unknown): unknown {
  try {
    return run();
  } catch (error) {
    return Promise.reject(error);
  }
}

/** Settles with the promise, or rejects after the time. */
async function inTime(promise: Promise<unknown>, milliseconds: number): Promise<void> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const error = new Error(`The embedder took longer than ${milliseconds} milliseconds.`);
  const timer = setTimeout(() => reject(error), Math.min(milliseconds, LONGEST));
  // In browsers, a timer is a number.
  timer.unref?.();
  try {
    await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}
