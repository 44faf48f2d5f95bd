/** The body of a request as text, and the arguments for `fetch` that replace the ones read. */
export interface ReadBody {
  /** `undefined` if there is no body, if it cannot be read, or if the request was aborted. */
  readonly text: string | undefined;
  readonly init: RequestInit | undefined;
}

type Sent = readonly [input: string | URL | Request, init: RequestInit | undefined];

/** Reads the body from the arguments of `fetch`, and keeps the request sendable. Never throws. */
export async function readBody([input, init]: Sent): Promise<ReadBody> {
  const request = input instanceof Request ? input : undefined;
  const signal = init?.signal ?? request?.signal;
  const body = init?.body;
  if (body instanceof ReadableStream) {
    if (body.locked) return { text: undefined, init };
    const [own, sent] = body.tee();
    return { text: await textOf(own, signal), init: { ...init, body: sent } };
  }
  if (body !== undefined && body !== null) {
    // Bytes, files and forms can be read more than once.
    const isLasting = body instanceof Blob || body instanceof FormData || isBytes(body);
    const stream = isLasting ? new Response(body).body : null;
    return { text: stream ? await textOf(stream, signal) : undefined, init };
  }
  if (!request?.body || request.bodyUsed) return { text: undefined, init };
  const own = request.clone().body;
  return { text: own ? await textOf(own, signal) : undefined, init };
}

function isBytes(body: unknown): boolean {
  return body instanceof ArrayBuffer || ArrayBuffer.isView(body);
}

/** The rest of a stream as text; `undefined` if the stream fails. */
async function textOf(
  stream: ReadableStream<Uint8Array>,
  signal: AbortSignal | null | undefined,
): Promise<string | undefined> {
  const reader = stream.getReader();
  const stop = (): void => void reader.cancel(signal?.reason).catch(() => {});
  signal?.addEventListener('abort', stop, { once: true });
  if (signal?.aborted) stop();
  const decoder = new TextDecoder();
  let text = '';
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      text += decoder.decode(value, { stream: true });
    }
    return signal?.aborted ? undefined : text + decoder.decode();
  } catch {
    // `fetch` reads the same stream and fails with the same error.
    return undefined;
  } finally {
    signal?.removeEventListener('abort', stop);
  }
}
