/** Reads a stream. Some runtimes cannot iterate over streams. Cancels the stream if the reader leaves early. */
export async function* partsOf<T>(
  stream: ReadableStream<T>,
  onReader: (cancel: (reason: unknown) => Promise<void>) => void,
): AsyncGenerator<T> {
  const reader = stream.getReader();
  onReader((reason) => reader.cancel(reason));
  let isDone = false;
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      yield value;
    }
    isDone = true;
  } catch (error) {
    isDone = true;
    throw error;
  } finally {
    if (!isDone) await reader.cancel().catch(() => {});
    reader.releaseLock();
  }
}

/** A stream of what a generator yields. `cancel`: called when the reader cancels, while the generator may be waiting. */
export function streamOf<T>(
  parts: AsyncGenerator<T>,
  cancel: (reason: unknown) => Promise<void>,
): ReadableStream<T> {
  return new ReadableStream<T>({
    async pull(controller) {
      const { done, value } = await parts.next();
      if (done) controller.close();
      else controller.enqueue(value);
    },
    async cancel(reason) {
      await cancel(reason).catch(() => {});
      await parts.return(undefined).catch(() => {});
    },
  });
}
