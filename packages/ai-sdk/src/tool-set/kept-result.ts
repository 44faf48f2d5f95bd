import { type CallRecord, isAsyncIterable, KEY } from '@toolfold/core/internal/host';
import { isRecord, ownProperty } from '@toolfold/core/internal/tools/values';
import { keyOrdersOf } from '../metadata/index.ts';
import type { SdkBackedTool } from './own-tools.ts';
import type { SdkView } from './sdk-view.ts';

/** Whether results keep the order of their keys. A host with a journal has them as they were. */
export function keepsOrder({ inputs }: SdkView): boolean {
  return inputs.runWith === undefined;
}

/**
 * Stores in the metadata of a result what messages do not keep by themselves: the output of
 * `toModelOutput`, because another process may not have the tool, and the order of keys (`keepsOrder`).
 */
export async function keepResult(
  view: SdkView,
  tool: SdkBackedTool | undefined,
  { metadata }: Pick<CallRecord, 'metadata'>,
  result: { readonly toolCallId: string; readonly input: unknown; readonly output: unknown },
): Promise<void> {
  const stamp = ownProperty(metadata, KEY);
  if (!isRecord(stamp)) return;
  const keep = (value: unknown) => {
    if (keepsOrder(view)) keepOrder(stamp, value);
  };
  if (!tool?.toModelOutput) return keep(result.output);
  stamp.m = await view.modelOutput(tool.name, () => tool.toModelOutput?.(result));
  keep(ownProperty(stamp.m, 'value'));
}

/** `keepResult` for a tool of the app, whose output the SDK converts. Keeps a synchronous result synchronous. */
export function keepOwnResult(
  output: unknown,
  { metadata }: Pick<CallRecord, 'metadata'>,
): unknown {
  const stamp = ownProperty(metadata, KEY);
  if (!isRecord(stamp)) return output;
  const kept = (value: unknown) => {
    if (isAsyncIterable(value)) return withLast(value, async (last) => keepOrder(stamp, last));
    keepOrder(stamp, value);
    return value;
  };
  return output instanceof Promise ? output.then(kept) : kept(output);
}

/** Only calls that a model wrote, and Toolfold stamped, are restored. */
function keepOrder(stamp: Record<string, unknown>, value: unknown): void {
  const orders = typeof stamp.n === 'string' ? keyOrdersOf(value) : undefined;
  if (orders) stamp.q = orders;
}

/** Yields the partial results, then calls `onLast` with the last one. */
export async function* withLast(
  output: AsyncIterable<unknown>,
  onLast: (last: unknown) => Promise<void>,
): AsyncGenerator<unknown> {
  let last: unknown;
  for await (const value of output) {
    last = value;
    yield value;
  }
  await onLast(last);
}
