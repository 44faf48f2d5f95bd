import type { TestContext } from 'node:test';

/**
 * Resolves once that is so, asked anew in each turn of the event loop after `meanwhile` is done.
 * Rejects when the test is over: the test has to have a timeout, at which nothing goes on then.
 */
export async function until(
  { signal }: TestContext,
  isSo: () => boolean,
  meanwhile: () => void = () => {},
): Promise<void> {
  while (!isSo()) {
    signal.throwIfAborted();
    await new Promise(setImmediate);
    meanwhile();
  }
}
