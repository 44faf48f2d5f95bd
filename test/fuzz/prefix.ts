import {
  type AuditableRequest,
  auditPrefix,
  formatAuditReport,
  type RecordedRequest,
  type Reply,
} from '../../src/testing/index.ts';
import { isRecord } from '../../src/tools/values/json.ts';

/** A request, and what came of it. */
export interface Sent {
  readonly request: RecordedRequest;
  /** What the model answered; nothing where the server refused. */
  readonly reply: Reply | undefined;
  /** Whether its answer is in the messages. */
  readonly isKept: boolean;
  /** Whether another epoch may begin behind it. */
  readonly endsEpoch: boolean;
}

/** How a turn ended, as far as it decides what the next one has to extend. */
export interface PrefixTurn {
  readonly sent: readonly Sent[];
  /** It failed, or was cut by its reader. */
  readonly isCut: boolean;
  /** Whoever holds the conversation keeps all that was sent in a turn that was cut. */
  readonly keepsCut: boolean;
  /** The user said something, rather than answer a question. */
  readonly isSaid: boolean;
}

/** What the next turn's first request has to extend, after this turn. */
export function nextBase(base: Sent | undefined, turn: PrefixTurn): Sent | undefined {
  const { sent, isCut, keepsCut, isSaid } = turn;
  // Before an answer is kept, nothing says which epoch has begun.
  if (base === undefined && !sent.some(({ isKept }) => isKept)) return undefined;
  const last = sent.at(-1);
  // What an endpoint refused is told by the note of the answer that came instead.
  const isTold = last?.isKept === true && !isCut;
  if (sent.some(({ endsEpoch }) => endsEpoch) && !isTold) return undefined;
  if (!isCut) return last ?? base;
  if (keepsCut) return last ?? base;
  // An app keeps what it had before, and what the user said.
  const [first] = sent;
  return base && isSaid && first ? { ...first, isKept: false } : base;
}

/**
 * Where a request does not extend the one before it. A notice whose request was never answered may
 * move to the new tail: that is a known limit.
 */
export function prefixBreak(
  before: Sent,
  next: RecordedRequest,
  said: ReadonlySet<string>,
): string | undefined {
  // An agent whose tools are off from the start declares none until they are switched on.
  const { tools } = before.request.body;
  if (before.endsEpoch || tools === undefined) return undefined;
  // Nor does anything say so where the app has lost every answer.
  if (!hasAnswer(next)) return undefined;
  const base = before.isKept ? before.request : withoutNotices(before.request, said);
  const report = auditPrefix([base, next]);
  return report.held ? undefined : formatAuditReport(report);
}

function hasAnswer({ body }: RecordedRequest): boolean {
  const entries = [body.messages, body.input].flatMap((list) => (Array.isArray(list) ? list : []));
  return entries.some(
    (entry) => isRecord(entry) && (entry.role === 'assistant' || entry.role === undefined),
  );
}

/** The request without the texts at its tail that are not the user's. */
function withoutNotices(
  { provider, body }: RecordedRequest,
  said: ReadonlySet<string>,
): AuditableRequest {
  const list = provider === 'openai-responses' ? 'input' : 'messages';
  const messages: unknown[] = Array.isArray(body[list]) ? [...body[list]] : [];
  for (let last = messages.at(-1); isRecord(last) && last.role === 'user'; last = messages.at(-1)) {
    const parts: unknown[] = Array.isArray(last.content) ? [...last.content] : [last.content];
    while (parts.length > 0 && isNotice(parts.at(-1), said)) parts.pop();
    messages.pop();
    if (parts.length === 0) continue;
    messages.push({ ...last, content: Array.isArray(last.content) ? parts : parts[0] });
    break;
  }
  return { provider, body: { ...body, [list]: messages } };
}

function isNotice(part: unknown, said: ReadonlySet<string>): boolean {
  const text = isRecord(part) ? part.text : part;
  return typeof text === 'string' && !said.has(text);
}
