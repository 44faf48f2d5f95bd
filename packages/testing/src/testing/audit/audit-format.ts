import { formatCount, formatNumber } from '@toolfold/core/internal/tools/values';
import type { AuditedRequest, AuditReport } from './audit.ts';

/** Formats the report as text: one line for each request, the broken blocks below it, and the totals. */
export function formatAuditReport(report: AuditReport): string {
  return formatRequests(report, ({ index }) => `request ${formatNumber(index + 1)}`);
}

/** The report as text, with other names of its requests. */
export function formatRequests(
  report: AuditReport,
  nameOf: (request: AuditedRequest) => string,
): string {
  const { breaks, keptTokens, newTokens, lostTokens } = report.totals;
  const count = report.requests.filter(({ unreadable }) => unreadable === undefined).length;
  const first = report.requests.find(({ unreadable }) => unreadable === undefined)?.index;
  const verdict =
    breaks === 0
      ? 'The prefix held'
      : `The prefix broke ${breaks === 1 ? 'once' : `${formatNumber(breaks)} times`}`;
  return [
    ...report.requests.flatMap((request) =>
      requestLines(request, nameOf(request), request.index === first),
    ),
    `${verdict} over ${formatNumber(count)} request${count === 1 ? '' : 's'}: ` +
      `${formatNumber(keptTokens)} tokens kept, ${formatNumber(newTokens)} new, ${formatNumber(lostTokens)} lost.`,
    ...askingLines(report),
    '',
  ].join('\n');
}

/** What a report says about requests to a provider that caches only where a request asks. */
function askingLines({ asking }: AuditReport): string[] {
  if (asking === undefined || asking.asked === asking.requests) return [];
  const { requests, asked } = asking;
  const sent = formatCount(requests, 'request');
  if (asked > 0) {
    return [
      `The cache was asked for in ${formatNumber(asked)} of ${sent}: this provider caches only where a request has a cache mark.`,
    ];
  }
  return [
    `The cache was never asked for: this provider caches only where a request has a cache mark, and none of ${sent} has one. So nothing was read from it, whatever was kept.`,
    "Remedy: Toolfold asks unless `cache` or `strategy` is false, or the app has set a cache option. Without Toolfold, set providerOptions: { anthropic: { cacheControl: { type: 'ephemeral' } } }.",
  ];
}

function requestLines(request: AuditedRequest, name: string, isFirst: boolean): string[] {
  const { first, settings, keptTokens, newTokens, lostTokens, unreadable } = request;
  if (unreadable !== undefined) return [`${name}: not compared: ${unreadable}`];
  const state = isFirst
    ? 'first'
    : first === undefined
      ? 'held'
      : `BROKEN at ${first.block} (${first.how})`;
  const tokens = `${formatNumber(keptTokens)} tokens kept, ${formatNumber(newTokens)} new, ${formatNumber(lostTokens)} lost`;
  return [
    `${name}: ${state}; ${tokens}`,
    ...(first === undefined ? [] : [`    before: ${first.before}`, `    after:  ${first.after}`]),
    ...settings.map((change) => `    ${change.setting}: ${change.before} -> ${change.after}`),
  ];
}
