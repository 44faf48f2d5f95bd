import { errorMessage } from '@toolfold/core/internal/errors.ts';
import { listIn, ownProperty, parsedJson } from '@toolfold/core/internal/tools/values';

/** The messages of an error and its causes. `fetch failed` alone says nothing; its cause names the refused port. */
export function rootMessage(error: unknown): string {
  const messages: string[] = [];
  let current: unknown = error;
  for (let depth = 0; depth < 5 && current !== undefined; depth += 1) {
    const code = ownProperty(current, 'code');
    const message = inWords(errorMessage(current)) || (typeof code === 'string' ? code : '');
    const isNew = !messages.some((earlier) => earlier.includes(message));
    if (message !== '' && isNew) messages.push(message);
    current =
      (current instanceof Error ? current.cause : undefined) ??
      ownProperty(ownProperty(current, 'data'), 'cause');
  }
  return messages.join(': ');
}

/** A message of the SDK without what only its authors can use. */
function inWords(message: string): string {
  const late = /^Version negotiation probe timed out after ([\d.]+)ms$/.exec(message)?.[1];
  if (late !== undefined) return `it did not answer within ${(Number(late) / 1000).toFixed(1)} s`;
  const [, method, issues = ''] = /^Invalid result for (\S+): (\[.*\])$/s.exec(message) ?? [];
  if (method === undefined) return message.replace(/^Version negotiation probe failed: /, '');
  const problems = listIn({ issues: parsedJson(issues) }, 'issues').map((issue) => {
    const path = listIn(issue, 'path').join('.');
    return `${path}: ${String(ownProperty(issue, 'message')).replace(/^Invalid input: /, '')}`;
  });
  return `its answer to ${method} is not valid (${problems.join('; ')})`;
}
