/** A request's body as text, and what is to be sent in place of what it was read from. */
export interface ReadBody {
  /** `undefined` where there is none, where it cannot be read, and where the request was aborted. */
  readonly text: string | undefined;
  readonly init: RequestInit | undefined;
}

type Sent = readonly [input: string | URL | Request, init: RequestInit | undefined];

/** Reads the body of what `fetch` is called with, which can still be sent. Never throws. */
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
    // What is read as it is sent, and can be read again: bytes, files, forms.
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

/** The rest of a stream as text; `undefined` where it breaks off. */
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
    // `fetch` reads the same stream, and fails with the same error.
    return undefined;
  } finally {
    signal?.removeEventListener('abort', stop);
  }
}
