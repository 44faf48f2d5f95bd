import { type CallHost, LOG_LEVELS, type ToolProgress } from '@toolfold/core/internal/tools/tool';
import { ownProperties } from '@toolfold/core/internal/tools/values';
import type { CallInFlight } from './calls-in-flight.ts';
import type { Texts } from './texts.ts';

const MAX_PROGRESS = 300;
const MAX_LOG = 2000;

/** Tells the host of a call about its progress. What the server sent is untrusted. */
export function tellProgress(host: CallHost | undefined, sent: unknown, texts: Texts): void {
  const { progress, total, message } = ownProperties(sent);
  if (typeof progress !== 'number' || !Number.isFinite(progress)) return;
  const told: ToolProgress = {
    progress,
    ...(typeof total === 'number' && Number.isFinite(total) ? { total } : {}),
    ...(typeof message === 'string' ? { message: texts.line(message, MAX_PROGRESS) } : {}),
  };
  host?.onProgress?.(told);
}

const MAX_LOGS = 1000;

/** Tells the host of a call about a log message. What the server sent is untrusted. */
export function tellLog(
  { host, used }: Pick<CallInFlight, 'host' | 'used'>,
  server: string,
  sent: unknown,
  texts: Texts,
): void {
  const { level: given, data } = ownProperties(sent);
  const level = LOG_LEVELS.find((one) => one === given);
  if (host?.onLog === undefined || level === undefined) return;
  used.logs += 1;
  if (used.logs > MAX_LOGS) return;
  if (used.logs === MAX_LOGS) {
    host.onLog({ server, level: 'warning', text: 'Further log messages are left out.' });
    return;
  }
  const text = typeof data === 'string' ? data : (JSON.stringify(data) ?? '');
  host.onLog({ server, level, text: texts.lines(text, MAX_LOG) });
}
