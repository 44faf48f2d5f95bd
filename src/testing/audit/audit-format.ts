import { figure } from '../../tools/values/index.ts';
import type { AuditedRequest, AuditReport } from './audit.ts';

/** Formats the report as text: one line for each request, the broken blocks below it, and the totals. */
export function formatAuditReport(report: AuditReport): string {
  const { breaks, keptTokens, newTokens, lostTokens } = report.totals;
  const count = report.requests.length;
  const verdict =
    breaks === 0
      ? 'The prefix held'
      : `The prefix broke ${breaks === 1 ? 'once' : `${figure(breaks)} times`}`;
  return [
    ...report.requests.flatMap(requestLines),
    `${verdict} over ${figure(count)} request${count === 1 ? '' : 's'}: ` +
      `${figure(keptTokens)} tokens kept, ${figure(newTokens)} new, ${figure(lostTokens)} lost.`,
    '',
  ].join('\n');
}

function requestLines(request: AuditedRequest): string[] {
  const { index, first, settings, keptTokens, newTokens, lostTokens } = request;
  const state =
    index === 0
      ? 'first'
      : first === undefined
        ? 'held'
        : `BROKEN at ${first.block} (${first.how})`;
  const tokens = `${figure(keptTokens)} tokens kept, ${figure(newTokens)} new, ${figure(lostTokens)} lost`;
  return [
    `request ${figure(index + 1)}: ${state}; ${tokens}`,
    ...(first === undefined ? [] : [`    before: ${first.before}`, `    after:  ${first.after}`]),
    ...settings.map((change) => `    ${change.setting}: ${change.before} -> ${change.after}`),
  ];
}
