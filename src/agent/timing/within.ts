/** Waits for all of them to settle, but no longer than that many milliseconds. */
export async function within(
  milliseconds: number,
  promises: readonly (Promise<unknown> | undefined)[],
): Promise<void> {
  if (promises.length === 0) return;
  const { promise: late, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, milliseconds);
  await Promise.race([late, Promise.allSettled(promises)]);
  clearTimeout(timer);
}
