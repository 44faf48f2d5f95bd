import { errorMessage } from '../../errors.ts';
import { ownProperty } from '../../tools/values/index.ts';
import type { Transport } from '../transport/index.ts';
import type { AnswerRequest } from './input-rounds.ts';

/** The requests of servers before 2026-07-28. */
const OLD = new Set<unknown>([
  'elicitation/create',
  'sampling/createMessage',
  'roots/list',
  'ping',
]);

/** JSON-RPC's code for an internal error. */
const INTERNAL_ERROR = -32_603;

/**
 * Answers a server that announces 2026-07-28 and still asks in the way of older revisions. The SDK drops
 * such requests, and their call would wait for ever. A rejection of `answer` is sent as an error.
 * `onRefused` is called if the server takes no answer.
 */
export function answerOldRequests(
  transport: Transport,
  answer: AnswerRequest,
  onRefused: (method: string) => void,
): void {
  const pass = transport.onmessage;
  const running = new Map<unknown, AbortController>();
  const reply = async (id: string | number, method: string, params: unknown): Promise<void> => {
    const stop = new AbortController();
    running.set(id, stop);
    const outcome = await (method === 'ping'
      ? Promise.resolve({})
      : answer(method, params, stop.signal)
    ).then(
      (result) => ({ result }),
      (error: unknown) => ({ error: errorOf(error) }),
    );
    running.delete(id);
    if (stop.signal.aborted) return;
    const response = { jsonrpc: '2.0' as const, id, ...outcome };
    await transport
      .send(response as Parameters<Transport['send']>[0])
      .catch(() => onRefused(method));
  };
  transport.onmessage = (message, extra) => {
    const method = ownProperty(message, 'method');
    const params = ownProperty(message, 'params');
    const id = ownProperty(message, 'id');
    if (method === 'notifications/cancelled') {
      running.get(ownProperty(params, 'requestId'))?.abort();
    }
    if (id === undefined || !OLD.has(method)) pass?.(message, extra);
    else void reply(id as string | number, String(method), params);
  };
}

function errorOf(error: unknown): object {
  const code = ownProperty(error, 'code');
  return {
    code: Number.isSafeInteger(code) ? code : INTERNAL_ERROR,
    message: errorMessage(error),
  };
}
