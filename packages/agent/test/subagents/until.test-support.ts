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

/** What comes of the work, while mocked time goes by: grace periods end that nothing else ends. */
export async function whileTimePasses<T>(context: TestContext, work: Promise<T>): Promise<T> {
  let isOver = false;
  const over = () => {
    isOver = true;
  };
  work.then(over, over);
  await until(
    context,
    () => isOver,
    () => context.mock.timers.tick(100),
  );
  return work;
}
