import type { RequestEvent } from '../../ai-sdk/index.ts';
import type { Log } from '../log/index.ts';
import type { RequestLog } from '../requests/index.ts';
import { modelName } from '../settings/index.ts';

/** What an agent knows of its requests. */
export interface Announcing {
  readonly log: Log;
  /** Called for each request with its estimated tokens. Returns its number. */
  readonly begin: (tokens: number) => number;
  readonly requests: RequestLog;
  readonly model: { readonly provider: string; readonly modelId: string };
  readonly options: { readonly role?: string | undefined };
}

/** Gives a request of the conversation its number, and writes its events. Returns the number. */
export function announce(
  { log, begin, model, options, requests }: Announcing,
  event: RequestEvent,
): number {
  const number = begin(event.tokens.total);
  const sender = { model: modelName(model), role: options.role };
  for (const one of requests.take(number, event, sender)) void log.report(one);
  return number;
}
