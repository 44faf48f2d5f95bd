import { ToolfoldError } from '../../errors.ts';
import { ownProperty, plainLine } from '../../tools/values/index.ts';

/**
 * The error of the Python SDK where a tool asks in the way of older revisions on a connection of
 * 2026-07-28, which has no such way (`ctx.elicit` of FastMCP).
 */
const NO_WAY = /Cannot send '(\w+\/\w+)': [^.]*no back-channel/;

/** The setting that helps. */
const ADVICE = 'To use it from the beginning, write "protocol": "legacy" in its entry.';

/** The request that a tool could not send, as its error or its result with `isError` says. */
export function unsentRequest(outcome: unknown): string | undefined {
  const message = ownProperty(outcome, 'message');
  const content = ownProperty(outcome, 'isError') === true && ownProperty(outcome, 'content');
  const texts = Array.isArray(content) ? content.map((part) => ownProperty(part, 'text')) : [];
  for (const text of [message, ...texts]) {
    const request = typeof text === 'string' ? NO_WAY.exec(text)?.[1] : undefined;
    if (request !== undefined) return plainLine(request, 60);
  }
  return;
}

/** The warning about a server that asks so. */
export function oldWayWarning(request: string): string {
  return `it asks with ${request}, which 2026-07-28 does not have; further calls use the older revision. ${ADVICE.slice(0, -1)}`;
}

/** The error for the call in which a tool asked so. */
export function oldWay(server: string, tool: string, request: string): ToolfoldError {
  return new ToolfoldError(
    'connection-failed',
    `${tool} of the MCP server ${server} asks with ${request}, which the revision 2026-07-28 of the protocol does not have, and failed. What it did before may have taken effect. Further calls use the older revision.`,
    ADVICE,
  );
}
