import type { RequestEvent } from '../../ai-sdk/index.ts';
import type { Log, Meter } from '../log/index.ts';
import type { RequestLog } from './request-log.ts';

/** What an agent knows of its requests. */
export interface Announcing {
  readonly log: Log;
  readonly meter: Meter;
  readonly requests: RequestLog;
  readonly modelName: string;
  readonly options: { readonly role?: string | undefined };
}

/** Gives a request of the conversation its number, and writes its events. Returns the number. */
export function announce(
  { log, meter, modelName, options, requests }: Announcing,
  event: RequestEvent,
): number {
  const last = log.state.request;
  const number = (last?.request ?? 0) + 1;
  meter.begin(event.tokens.total, number);
  const sender = { model: modelName, role: options.role };
  for (const one of requests.take(number, event, sender, last)) void log.report(one);
  return number;
}
