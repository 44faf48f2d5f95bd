import { type Kinds, restored, textsIn, unpacked } from '@toolfold/agent/internal/entries';
import type { AgentEvent } from '@toolfold/agent/internal/events';
import type { Entry, Session, SessionStore } from '@toolfold/agent/internal/sessions';
import { pick } from '@toolfold/core/internal/values';
import {
  CacheUse,
  changedTools,
  type PromptMark,
  type PromptUsage,
  type SentSegments,
} from './cache-marks.ts';

/** Neighbours among the segments of a request that have the same label. */
export interface PromptPiece {
  /** Such as `inline-tools`, `catalog` or `history`. */
  readonly label: string;
  readonly tokens: number;
}

/** One request as it was sent. */
export interface Prompt {
  /** The session that has it: that of a subagent has its own. */
  readonly session: string;
  /** Its number in that session. */
  readonly request: number;
  /** The turn that it belongs to, as the view of the conversation has them: counted from 0. */
  readonly turn: number;
  /** Task path of the subagent that has sent it. */
  readonly subagent?: string;
  /** When it was sent, in milliseconds since 1970. */
  readonly at: number;
  /** `provider/name`. */
  readonly model?: string;
  readonly strategy: string;
  readonly form?: string;
  /** Estimated tokens of the whole request, and of it under `eager`. */
  readonly total: number;
  readonly eager: number;
  /** In the order of the cache. */
  readonly pieces: readonly PromptPiece[];
  /** Absent while the provider has not answered. */
  readonly usage?: PromptUsage;
  readonly mark?: PromptMark;
}

/** A prompt with its segments, and those of the request before. */
export interface SentPrompt {
  readonly prompt: Prompt;
  readonly segments: SentSegments;
  readonly before: SentSegments;
}

type ReadSession = Pick<Session, 'id' | 'entries'>;
type ReadStore = Pick<SessionStore, 'get' | 'list' | 'read' | 'text'>;

/**
 * The requests of one session and of its subagents, in the order in which they were sent. They follow from the entries,
 * so that they are the same while a turn runs and when the session is opened again. Each entry is read once.
 */
export class PromptReader {
  readonly #store: ReadStore;
  #own: RequestChain | undefined;
  /** The sessions of subagents, by their ids. */
  readonly #below = new Map<string, RequestChain>();
  /** The session and those that it is a fork of: they have its subagents. */
  #origins: readonly string[] = [];
  #all: readonly Prompt[] = [];
  /** Whether entries were taken that the list does not show. */
  #hasChanged = false;
  #reading: Promise<readonly Prompt[]> = Promise.resolve([]);

  constructor(store: ReadStore) {
    this.#store = store;
  }

  /** All prompts, with these entries. Those that have not changed are the same objects, as the list is. */
  read(session: ReadSession): Promise<readonly Prompt[]> {
    // One after the other: an entry is read once.
    this.#reading = this.#reading.catch(() => []).then(() => this.#read(session));
    return this.#reading;
  }

  /** A prompt with its segments. Undefined if it was not read. */
  sent({ session, request }: Pick<Prompt, 'session' | 'request'>): SentPrompt | undefined {
    const chain = this.#own?.id === session ? this.#own : this.#below.get(session);
    return chain?.sent.get(request);
  }

  /** How often the model has called each tool so far, in the session and in its subagents, by the names of the tools. */
  get calls(): ReadonlyMap<string, number> {
    const sum = new Map<string, number>();
    for (const { calls } of [...(this.#own ? [this.#own] : []), ...this.#below.values()])
      for (const [name, count] of calls) sum.set(name, count + (sum.get(name) ?? 0));
    return sum;
  }

  async #read(session: ReadSession): Promise<readonly Prompt[]> {
    if (!this.#own?.continues(session)) {
      this.#own = new RequestChain(session.id);
      this.#below.clear();
      this.#all = [];
      this.#origins = await this.#originsOf(session.id);
    }
    const chains = [this.#own];
    this.#hasChanged = this.#own.take(session.entries.slice(this.#own.seq)) || this.#hasChanged;
    for (const chain of chains) {
      if (chain.children.size === 0) continue;
      // A fork may have sessions of its own for subagents of the session that it comes from.
      const found = new Set<string>();
      for (const origin of chain === this.#own ? this.#origins : [chain.id])
        for (const { id, seq } of await this.#store.list({ parent: origin })) {
          const name = id.slice(origin.length + 1);
          const place = chain.children.get(name);
          if (!place || found.has(name)) continue;
          found.add(name);
          const below = this.#below.get(id) ?? new RequestChain(id, place);
          this.#below.set(id, below);
          chains.push(below);
          if (seq <= below.seq) continue;
          const added = await this.#store.read(id, { after: below.seq });
          this.#hasChanged = below.take(added) || this.#hasChanged;
        }
    }
    if (!this.#hasChanged) return this.#all;
    for (const chain of chains) await chain.nameTools((hash) => this.#store.text(hash));
    this.#all = chains
      .flatMap(({ sent }) => [...sent.values()].map(({ prompt }) => prompt))
      .sort(bySending);
    this.#hasChanged = false;
    return this.#all;
  }

  async #originsOf(id: string): Promise<readonly string[]> {
    const origins: string[] = [];
    for (let from: string | undefined = id; from !== undefined; ) {
      origins.push(from);
      from = (await this.#store.get(from))?.forkOf;
    }
    return origins;
  }
}

/** Where a subagent works. */
interface ChildPlace {
  /** Its task path. */
  readonly path: string;
  /** The turn of the session. */
  readonly turn: number;
}

/** The requests of one conversation, each of which continues the one before. */
class RequestChain {
  readonly id: string;
  readonly #place: ChildPlace | undefined;
  /** The number of the last entry that was taken. */
  seq = 0;
  #last: string | undefined;
  /** By their numbers. */
  readonly sent = new Map<number, SentPrompt>();
  readonly calls = new Map<string, number>();
  /** Subagents by their names. */
  readonly children = new Map<string, ChildPlace>();
  #segments: SentSegments = [];
  #model: string | undefined;
  readonly #cache = new CacheUse();
  /** Numbers of the requests whose tools changed. */
  #unnamed: number[] = [];
  #turn = { index: -1, number: -1, isUsed: false };

  constructor(id: string, place?: ChildPlace) {
    this.id = id;
    this.#place = place;
  }

  /** Whether it has read the beginning of this session. */
  continues({ id, entries }: ReadSession): boolean {
    return id === this.id && (this.seq === 0 || entries[this.seq - 1]?.id === this.#last);
  }

  /** Takes the next entries. Returns whether a prompt has changed. */
  take(entries: readonly Entry[]): boolean {
    let hasChanged = false;
    for (const entry of entries) {
      this.seq = entry.seq;
      this.#last = entry.id;
      hasChanged = this.#takeOne(entry) || hasChanged;
    }
    return hasChanged;
  }

  #takeOne({ kind, body, at }: Entry): boolean {
    switch (kind) {
      case 'turn':
        this.#begin(Number(body.number));
        return false;
      case 'user':
        // A message that comes while a turn runs is shown as a turn of its own.
        if (this.#turn.isUsed) this.#begin(this.#turn.number, true);
        this.#turn.isUsed = true;
        return false;
      case 'settings':
        this.#model = textsIn(body, 'model').model ?? this.#model;
        return false;
      case 'children': {
        const { names } = body as unknown as Kinds['children'];
        for (const [task, child] of Object.entries(names)) {
          if (this.children.has(child)) continue;
          const path = this.#place ? `${this.#place.path}/${task}` : task;
          this.children.set(child, { path, turn: this.#shownTurn });
        }
        return false;
      }
      case 'request':
        this.#request(restored(body) as Kinds['request'], at);
        return true;
      case 'event':
        return this.#event((restored(body) as Kinds['event']).event);
      case 'call':
        this.calls.set(String(body.name), 1 + (this.calls.get(String(body.name)) ?? 0));
        this.#turn.isUsed = true;
        return false;
      default:
        if (SHOWN.has(kind)) this.#turn.isUsed = true;
        return false;
    }
  }

  get #shownTurn(): number {
    return this.#place?.turn ?? Math.max(0, this.#turn.index);
  }

  #begin(number: number, isNew: boolean = number !== this.#turn.number): void {
    if (isNew) this.#turn = { index: this.#turn.index + 1, number, isUsed: false };
  }

  #request(body: Kinds['request'], at: number): void {
    const before = this.#segments;
    const { segments, request, strategy, form, tokens } = unpacked(body, before);
    this.#segments = segments;
    const prompt: Prompt = {
      ...{ session: this.id, request, turn: this.#shownTurn, at, strategy },
      ...(this.#place ? { subagent: this.#place.path } : {}),
      ...(this.#model === undefined ? {} : { model: this.#model }),
      ...(form === undefined ? {} : { form }),
      ...{ total: tokens.total, eager: tokens.eager, pieces: piecesOf(segments) },
    };
    this.sent.set(request, { prompt, segments, before });
  }

  #event(event: AgentEvent): boolean {
    if (event.type === 'start') this.#model = event.model;
    if (event.type === 'end') this.#turn.isUsed = true;
    if (event.type !== 'usage' && event.type !== 'prefix-broken') return false;
    const { request } = event;
    const known = request === undefined ? undefined : this.sent.get(request);
    if (request === undefined || !known) return false;
    if (event.type === 'prefix-broken') {
      const { segment, cause } = event;
      const label = known.before[segment.index]?.label;
      const mark = { kind: 'broken' as const, cause, ...(label ? { label } : {}) };
      this.#change(request, { mark });
      if (segment.kind === 'tools' && cause.includes('the tools changed'))
        this.#unnamed.push(request);
      return true;
    }
    const { input, cacheRead, isEstimate = false } = event;
    const usage: PromptUsage = {
      ...{ ...pick(event, 'cacheWrite', 'output', 'cost', 'duration'), input, cacheRead },
      ...{ isEstimate, share: input > 0 ? cacheRead / input : 0 },
    };
    const { prompt } = known;
    const missed = this.#cache.take(prompt, usage, prompt.mark !== undefined);
    this.#change(request, { usage, ...(missed ? { mark: missed } : {}) });
    return true;
  }

  #change(request: number, change: Partial<Prompt>): void {
    const known = this.sent.get(request);
    if (known) this.sent.set(request, { ...known, prompt: { ...known.prompt, ...change } });
  }

  /** Adds the names of the tools to the causes of breaks. */
  async nameTools(textOf: (hash: string) => Promise<string | undefined>): Promise<void> {
    for (const request of this.#unnamed.splice(0)) {
      const known = this.sent.get(request);
      const mark = known?.prompt.mark;
      const names = known && (await changedTools(known, textOf));
      if (mark && names)
        this.#change(request, { mark: { ...mark, cause: `${mark.cause}: ${names}` } });
    }
  }
}

/** Kinds of entries that a turn shows, beside messages of the user and calls. */
const SHOWN: ReadonlySet<string> = new Set(['model', 'interrupted']);

function piecesOf(segments: SentSegments): readonly PromptPiece[] {
  const pieces: { label: string; tokens: number }[] = [];
  for (const { label, tokens } of segments) {
    const last = pieces.at(-1);
    if (last?.label === label) last.tokens += tokens;
    else pieces.push({ label, tokens });
  }
  return pieces;
}

/** Subagents may send at the same time: their order must not depend on that in which their sessions are listed. */
function bySending(one: Prompt, other: Prompt): number {
  const [name, otherName] = [one, other].map(({ subagent, session }) =>
    subagent === undefined ? '' : `${subagent} ${session}`,
  );
  if (one.at !== other.at || name === otherName)
    return one.at - other.at || one.request - other.request;
  return (name ?? '') < (otherName ?? '') ? -1 : 1;
}
