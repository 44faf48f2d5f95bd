import type { PoolEvent, ServerStatus } from '../../mcp/index.ts';
import { LOG_LEVELS, type LogLevel } from '../../tools/tool/index.ts';

/** The lines about what happens to a server during a turn. `isLoginAsked`: a login is a question, not a line. */
export function remarksOn(event: PoolEvent, isLoginAsked: boolean): string[] {
  if (event.kind === 'warning') return [`${event.server}: ${event.text}.`];
  const isNews = event.kind === 'state' && ['failed', 'needs-auth'].includes(event.to.kind);
  return isNews ? serverRemarks({ ...event.status, warnings: [] }, isLoginAsked) : [];
}

/** The lines about a server that failed or has warnings. */
export function serverRemarks(
  { name, state, reason, remedy, warnings = [] }: ServerStatus,
  isLoginAsked = false,
): string[] {
  const isLeft = reason === undefined || (isLoginAsked && state === 'needs-auth');
  const failure = isLeft ? [] : [`${name} is not ready: ${reason}. ${remedy ?? ''}`];
  return [...failure, ...warnings.map((warning) => `${name}: ${warning}.`)].map((line) =>
    line.trimEnd(),
  );
}

/** Whether a log message of a server is shown. */
export function isSevere(level: LogLevel): boolean {
  return LOG_LEVELS.indexOf(level) >= LOG_LEVELS.indexOf('warning');
}
