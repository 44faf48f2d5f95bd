import { isDeepStrictEqual } from 'node:util';
import { callsOn } from '../../packages/ai-sdk/test/wire.test-support.ts';
import { isRecord } from '../../packages/core/src/values/json.ts';
import type { ReplyCall } from '../../packages/testing/src/index.ts';
import type { Sent } from './prefix.ts';

const LEGAL_NAME = /^[a-zA-Z0-9_-]{1,128}$/;

/** Describes how the next request of the same turn changes the calls of an answer; undefined if it does not. */
export function changedCalls(answered: Sent, next: Sent | undefined): string | undefined {
  const written = answered.reply?.calls ?? [];
  if (!next || !answered.isKept || written.length === 0) return undefined;
  // Items that OpenAI stores are sent by their ids.
  const { provider, body } = next.request;
  if (provider === 'openai-responses' && body.store !== false) return undefined;
  const shown = callsOn(next.request).slice(callsOn(answered.request).length);
  if (shown.length < written.length) return `${written.length} calls became ${shown.length}`;
  const at = written.findIndex((call, index) => !isShown(call, shown[index]));
  if (at < 0) return undefined;
  return `${JSON.stringify(written[at])} became ${JSON.stringify(shown[at])}`;
}

/** Names that providers refuse, and arguments that are not objects, are sent in other forms. */
function isShown(
  written: ReplyCall,
  shown: ReturnType<typeof callsOn>[number] | undefined,
): boolean {
  if (!shown) return false;
  if (!LEGAL_NAME.test(written.name)) return true;
  const isSameInput =
    !isRecord(written.arguments) || isDeepStrictEqual(written.arguments, shown.input);
  return written.name === shown.name && isSameInput;
}
