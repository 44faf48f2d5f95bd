import { randomUUID } from 'node:crypto';
import type { JSONRPCMessage } from '@modelcontextprotocol/client';
import { isRecord, ownProperties, ownProperty } from '../../../tools/values/index.ts';

/**
 * The field of `_meta` in which a message keeps the request whose stream it came on. Its name is random,
 * because a server could send the field itself, and so choose whom it asks.
 */
const CARRIER = `toolfold/carrier/${randomUUID()}`;

/**
 * A request or notification that came on the stream of a request, with the id of that request. The SDK's
 * transport passes on nothing else of the stream.
 */
export function carried(
  message: JSONRPCMessage,
  carrier: string | number | undefined,
): JSONRPCMessage {
  if (carrier === undefined || !('method' in message)) return message;
  const { params } = message;
  const meta = { ...ownProperties(ownProperty(params, '_meta')), [CARRIER]: carrier };
  return { ...message, params: { ...params, _meta: meta } } as JSONRPCMessage;
}

/** The message as it was received, and the request whose stream it came on. */
export function uncarried(message: JSONRPCMessage): {
  readonly message: JSONRPCMessage;
  readonly carrier?: unknown;
} {
  const meta = 'method' in message ? ownProperty(message.params, '_meta') : undefined;
  if (!isRecord(meta) || !Object.hasOwn(meta, CARRIER)) return { message };
  const { [CARRIER]: carrier, ...others } = meta;
  const { _meta: _, ...params } = ownProperties(ownProperty(message, 'params'));
  const hasMeta = Object.keys(others).length > 0;
  const given = { ...params, ...(hasMeta && { _meta: others }) };
  const { params: __, ...rest } = message as { readonly params?: unknown };
  const hasParams = Object.keys(given).length > 0;
  return { message: { ...rest, ...(hasParams && { params: given }) } as JSONRPCMessage, carrier };
}
