import type { Segment } from '@toolfold/ai-sdk';
import {
  type RequestEvent,
  type ToolsChanged,
  withHidden,
} from '@toolfold/ai-sdk/internal/request';
import { pick, sameStart } from '@toolfold/core/internal/values';
import type { AgentEvent, SentRequest } from '../events/index.ts';
import type { Log } from './log.ts';
import type { Meter } from './meter.ts';

/** The first part of a request that is not as it was sent before. */
interface PrefixChange {
  readonly index: number;
  readonly kind: Segment['kind'];
}

/** What decides the prefix of a request beside its messages. */
interface ModelAndRole {
  readonly model: string;
  readonly role: string | undefined;
}

type SentPrefix = Pick<SentRequest, 'strategy' | 'segments'>;

/** The strategy of a request that needs no tools. */
const NONE = 'none';

const BY_KIND: Readonly<Record<PrefixChange['kind'], string>> = {
  tools: 'the tools changed',
  system: 'the system text changed',
  message: 'earlier messages changed',
};

/** Compares the requests of a conversation, and tells what changes from one to the next. */
export class RequestLog {
  #sender: ModelAndRole | undefined;
  #epoch: string | undefined;
  #changes: ToolsChanged = { added: [], removed: [] };
  #expected: string | undefined;

  /** Names the cause of a break that the agent brings about, for the next request. */
  expect(cause: string): void {
    this.#expected = cause;
  }

  /** The events of a request, in the order in which they are emitted. `last`: the request before. */
  take(
    number: number,
    sent: RequestEvent,
    sender: ModelAndRole,
    last: SentPrefix | undefined,
    kind?: SentRequest['kind'],
  ): readonly AgentEvent[] {
    const { epoch, toolsChanged, ...rest } = sent;
    // After a break that the agent brings about, the new epoch may have the bytes of the old one.
    const isNew = epoch?.fingerprint !== this.#epoch || this.#expected !== undefined;
    const begun = isNew ? epoch : undefined;
    if (begun) {
      this.#epoch = begun.fingerprint;
      this.#changes = { added: [], removed: [] };
    }
    const why = this.#expected ?? begun?.reason ?? '';
    const before = last?.segments ?? [];
    const broken = prefixBreak(before, sent.segments);
    const cause =
      broken && (this.#expected ?? this.#causeOf(broken, sent, begun?.reason, sender, last));
    this.#sender = sender;
    this.#expected = undefined;
    const { texts } = sent;
    const given = { type: 'request' as const, request: number, ...pick({ kind }, 'kind'), ...rest };
    const request = withHidden(given, { texts });
    return [
      ...(begun ? [{ type: 'epoch' as const, strategy: begun.strategy, reason: why }] : []),
      ...(toolsChanged ? this.#changed(toolsChanged) : []),
      request,
      ...(broken && cause !== undefined
        ? [{ type: 'prefix-broken' as const, request: number, segment: broken, cause }]
        : []),
    ];
  }

  #causeOf(
    { kind }: PrefixChange,
    { strategy }: RequestEvent,
    reason: string | undefined,
    { model, role }: ModelAndRole,
    sentBefore: SentPrefix | undefined,
  ): string {
    const before = this.#sender;
    if (before && before.model !== model)
      return `the model changed from ${before.model} to ${model}`;
    if (before && before.role !== role)
      return `the role changed from ${before.role ?? 'none'} to ${role ?? 'none'}`;
    const last = sentBefore?.strategy ?? strategy;
    if (last !== strategy && last === NONE) return 'tools are sent now';
    if (last !== strategy && strategy === NONE) return 'no tools are sent now';
    if (last !== strategy)
      return `the strategy changed from ${last} to ${strategy}${reason === undefined ? '' : `: ${reason}`}`;
    return reason === undefined ? BY_KIND[kind] : `a new epoch began: ${reason}`;
  }

  /** The part of the changes since the epoch began that was not told yet. */
  #changed(now: ToolsChanged): readonly AgentEvent[] {
    const before = this.#changes;
    this.#changes = now;
    const without = (names: readonly string[], others: readonly string[]) =>
      names.filter((name) => !others.includes(name));
    // A tool that went and is there again was added, and the other way round.
    const added = [...without(now.added, before.added), ...without(before.removed, now.removed)];
    const removed = [...without(now.removed, before.removed), ...without(before.added, now.added)];
    return added.length + removed.length === 0 ? [] : [{ type: 'tools-changed', added, removed }];
  }
}

/**
 * Compares two requests of one conversation. Undefined if `after` begins with all segments of `before`.
 * Else the first segment of `before` that is missing or different.
 */
export function prefixBreak(
  before: readonly Segment[],
  after: readonly Segment[],
): PrefixChange | undefined {
  let index = sameStart(before, after);
  const isSame = (one: Segment) => {
    const now = after[index];
    return now?.kind === one.kind && now.hash === one.hash;
  };
  for (let one = before[index]; one; one = before[++index])
    if (!isSame(one)) return { index, kind: one.kind };
  return;
}

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
  kind?: SentRequest['kind'],
): number {
  const last = log.state.request;
  const number = (last?.request ?? 0) + 1;
  meter.begin(event.tokens.total, number);
  const sender = { model: modelName, role: options.role };
  for (const one of requests.take(number, event, sender, last, kind)) void log.report(one);
  return number;
}
