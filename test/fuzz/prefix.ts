import { isRecord } from '../../packages/core/src/values/json.ts';
import {
  type AuditableRequest,
  auditPrefix,
  formatAuditReport,
  type RecordedRequest,
  type Reply,
} from '../../packages/testing/src/index.ts';

/** A request and its outcome. */
export interface Sent {
  readonly request: RecordedRequest;
  /** The answer of the model; undefined if the server refused. */
  readonly reply: Reply | undefined;
  /** Whether the answer is in the messages. */
  readonly isKept: boolean;
  /** Whether a new epoch may begin after it. */
  readonly endsEpoch: boolean;
}

/** The facts about a turn that decide which request the next turn must extend. */
export interface PrefixTurn {
  readonly sent: readonly Sent[];
  /** The turn failed, or its reader cancelled it. */
  readonly isCut: boolean;
  /** The host keeps everything that was sent in an interrupted turn. */
  readonly keepsCut: boolean;
  /** The user sent a text; otherwise the user answered a question. */
  readonly hasText: boolean;
}

/** The request that the first request of the next turn must extend. */
export function nextBase(base: Sent | undefined, turn: PrefixTurn): Sent | undefined {
  const { sent, isCut, keepsCut, hasText } = turn;
  // Until an answer is kept, no message names the epoch. A request without tools begins none.
  const hasEpoch = base !== undefined && base.request.body.tools !== undefined;
  if (!hasEpoch && !sent.some(({ isKept }) => isKept)) return base;
  const last = sent.at(-1);
  // The note of the answer that replaced a refused one records the refusal.
  const isNoted = last?.isKept === true && !isCut;
  if (sent.some(({ endsEpoch }) => endsEpoch) && !isNoted) return undefined;
  if (!isCut) return last ?? base;
  if (keepsCut) return last ?? base;
  // An app keeps its earlier messages and the user's text.
  const [first] = sent;
  return base && hasText && first ? { ...first, isKept: false } : base;
}

/**
 * Describes where a request does not extend the one before it. A notice whose request was never
 * answered may move to the new tail; this is a known limit.
 */
export function prefixBreak(
  before: Sent,
  next: RecordedRequest,
  userTexts: ReadonlySet<string>,
): string | undefined {
  // An agent whose tools are off from the start declares no tools until they are switched on.
  const { tools } = before.request.body;
  if (before.endsEpoch || tools === undefined) return undefined;
  // Tools that are switched off begin an epoch at once where that costs less than what requests still carry of them.
  if (next.body.tools === undefined && next.raw.length < before.request.raw.length)
    return undefined;
  // If the app lost every answer, no message names the epoch either.
  if (!hasAnswer(next)) return undefined;
  const base = before.isKept ? before.request : withoutNotices(before.request, userTexts);
  const report = auditPrefix([base, next]);
  return report.held ? undefined : formatAuditReport(report);
}

function hasAnswer({ body }: RecordedRequest): boolean {
  const entries = [body.messages, body.input].flatMap((list) => (Array.isArray(list) ? list : []));
  return entries.some(
    (entry) => isRecord(entry) && (entry.role === 'assistant' || entry.role === undefined),
  );
}

/** The request without the texts at its tail that the user did not write. */
function withoutNotices(
  { provider, body }: RecordedRequest,
  userTexts: ReadonlySet<string>,
): AuditableRequest {
  const list = provider === 'openai-responses' ? 'input' : 'messages';
  const messages: unknown[] = Array.isArray(body[list]) ? [...body[list]] : [];
  for (let last = messages.at(-1); isRecord(last) && last.role === 'user'; last = messages.at(-1)) {
    const parts: unknown[] = Array.isArray(last.content) ? [...last.content] : [last.content];
    while (parts.length > 0 && isNotice(parts.at(-1), userTexts)) parts.pop();
    messages.pop();
    if (parts.length === 0) continue;
    messages.push({ ...last, content: Array.isArray(last.content) ? parts : parts[0] });
    break;
  }
  return { provider, body: { ...body, [list]: messages } };
}

function isNotice(part: unknown, userTexts: ReadonlySet<string>): boolean {
  const text = isRecord(part) ? part.text : part;
  return typeof text === 'string' && !userTexts.has(text);
}
