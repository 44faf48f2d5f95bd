import {
  type Kinds,
  LOST,
  type RunOutcome,
  restored,
  unpacked,
  type Write,
} from '../entries/index.ts';
import { type AgentEvent, plainEvent, type SentRequest } from '../events/index.ts';
import { type Entry, MISSING_ENTRY } from '../sessions/index.ts';
import { eventsOfEntry } from './apply-entry.ts';

/** The entries of the session of a subagent, by its name. Empty if there is none. */
export type ChildEntries = (child: string) => Iterable<Entry>;

/**
 * The events that a screen needs, from the entries of a session: with its subagents if their entries are given.
 * Each has the number and the time of its entry. Texts are whole. What is only shown while it happens is not among
 * them: progress, log messages, arguments that are being written.
 */
export function* eventsOf(
  entries: Iterable<Entry>,
  children: ChildEntries = () => [],
): Generator<RebuiltEvent> {
  const reader = new EventRebuilder(children);
  let turn: Entry[] = [];
  for (const entry of entries) {
    if (entry.kind === 'turn' && turn.length > 0) {
      yield* reader.turn(turn);
      turn = [];
    }
    turn.push(entry);
  }
  yield* reader.turn(turn);
}

/** What is carried from turn to turn. */
class EventRebuilder {
  readonly #children: ChildEntries;
  readonly #shown = new Set<string>();
  #segments: SentRequest['segments'] = [];
  #number = 0;
  readonly #seen: Seen = { runs: new Map(), answered: undefined, interrupted: undefined };

  constructor(children: ChildEntries) {
    this.#children = children;
  }

  *turn(entries: readonly Entry[]): Generator<RebuiltEvent> {
    const read = entries.map((entry): ReadEntry => ({ ...entry, body: restored(entry.body) }));
    const begin = read[0]?.kind === 'turn' ? (read[0].body as Kinds['turn']) : undefined;
    if (begin) this.#number = begin.number;
    const parts = {
      seen: this.#seen,
      request: (body: Kinds['request']) => {
        const event = unpacked(body, this.#segments);
        this.#segments = event.segments;
        return event;
      },
      child: (call: string, task: string, child: string) => this.#child(call, task, child),
      isShown: (child: string) => this.#shown.has(child),
    };
    const turn = new ReadTurn(read, parts);
    const stamped = (event: AgentEvent, { seq, at }: ReadEntry): RebuiltEvent => {
      return { ...event, seq, at, turn: this.#number, step: turn.step };
    };
    let last: ReadEntry | undefined;
    for (const [index, entry] of read.entries()) {
      if (entry.kind === MISSING_ENTRY && last?.kind !== MISSING_ENTRY)
        yield stamped({ type: 'warning', text: LOST }, entry);
      for (const event of turn.of(entry, index)) yield stamped(event, entry);
      last = entry;
    }
    if (last) for (const event of turn.end()) yield stamped(event, last);
  }

  /** The events of a subagent, nested, unless they were there before. */
  *#child(call: string, task: string, child: string): Generator<AgentEvent> {
    if (this.#shown.has(child)) return;
    const below = (name: string) => this.#children(`${child}/${name}`);
    for (const event of eventsOf(this.#children(child), below)) {
      this.#shown.add(child);
      yield { type: 'subagent', call, child, task, event: plainEvent(event) };
    }
  }
}

/** An event with the number and the time of its entry. */
export type RebuiltEvent = AgentEvent &
  Pick<Entry, 'seq' | 'at'> & { readonly turn: number; readonly step: number };

/** An entry with its body as it was given. */
type ReadEntry = Omit<Entry, 'body'> & { readonly body: unknown };

/** What a turn needs of the turns before. */
interface TurnParts {
  readonly seen: Seen;
  readonly request: (body: Kinds['request']) => AgentEvent;
  /** The events of a subagent that were not there before. */
  readonly child: (call: string, task: string, child: string) => Iterable<AgentEvent>;
  readonly isShown: (child: string) => boolean;
}

/** What the entries before say of the last answer. */
interface Seen {
  readonly runs: Map<string, { readonly name: string; readonly outcome?: RunOutcome }>;
  answered: Pick<Entry, 'id' | 'seq'> | undefined;
  /** Its text, if it is the last thing that was said, and was interrupted. */
  interrupted: string | undefined;
}

interface RebuiltChild {
  readonly call: string;
  readonly task: string;
  readonly child: string;
}

/** The events of the entries of one turn: what stood in deltas comes from the entry of its answer. */
class ReadTurn {
  readonly #entries: readonly ReadEntry[];
  readonly #parts: TurnParts;
  readonly #team: RebuiltChild[] = [];
  /** Whether the answer to the last request has an entry. */
  #isAnswered = false;
  /** Whether the entry before is an answer or one of its calls. */
  #isInAnswer = false;
  /** The number of the last answer. */
  step = 0;

  constructor(entries: readonly ReadEntry[], parts: TurnParts) {
    this.#entries = entries;
    this.#parts = parts;
  }

  *of(entry: ReadEntry, index: number): Generator<AgentEvent> {
    const isOfAnswer = this.#isInAnswer && entry.kind === 'call';
    this.#isInAnswer = isOfAnswer || entry.kind === 'model';
    const write = [entry.kind, entry.body] as Write;
    const { seen } = this.#parts;
    const [kind, body] = write;
    switch (kind) {
      case 'request':
        this.#isAnswered = false;
        yield this.#parts.request(body);
        return;
      case 'model':
        seen.answered = entry;
        seen.interrupted = undefined;
        this.#isAnswered = true;
        this.step = body.step;
        for (const part of body.content)
          if (part.type === 'tool-call') seen.runs.delete(part.toolCallId);
        yield* this.#answer(body, index);
        return;
      case 'call':
        if (isOfAnswer) return;
        break;
      case 'interrupted':
        if (!this.#isAnswered) yield* shown({ ...body.withdrawn, text: body.text });
        if (!this.#isAnswered && body.withdrawn?.text)
          yield { type: 'text', text: body.withdrawn.text };
        yield* eventsOfEntry(write, seen);
        seen.interrupted = body.text;
        return;
      case 'children':
        for (const [task, child] of Object.entries(body.names))
          this.#team.push({ call: body.id, task, child });
        return;
      case 'result':
        yield* this.#children(({ call }) => call === body.id);
        break;
      case 'event':
        yield* this.#event(body.event);
        return;
    }
    yield* eventsOfEntry(write, seen);
    if (kind === 'turn' || kind === 'user') seen.interrupted = undefined;
    if (kind === 'result' && (body.answer ?? seen.answered?.seq) === seen.answered?.seq)
      seen.runs.set(body.id, { name: body.name, outcome: body });
  }

  /** The texts and the calls of an answer, in its order. Its calls are the entries behind it. */
  *#answer({ content }: Kinds['model'], index: number): Generator<AgentEvent> {
    const calls = new Map<string, Kinds['call']>();
    for (let at = index + 1; this.#entries[at]?.kind === 'call'; at++) {
      const call = this.#entries[at]?.body as Kinds['call'];
      calls.set(call.id, call);
    }
    for (const part of content) {
      if ((part.type === 'text' || part.type === 'reasoning') && part.text !== '')
        yield { type: part.type, text: part.text };
      const call = part.type === 'tool-call' ? calls.get(part.toolCallId) : undefined;
      if (call) yield { type: 'call', ...call };
    }
  }

  /** What the end of the turn shows. */
  end(): Iterable<AgentEvent> {
    return this.#children(() => true);
  }

  *#event(event: AgentEvent): Generator<AgentEvent> {
    if (event.type === 'discarded') yield* shown(event);
    if (event.type === 'subagent' || event.type === 'subagent-end') {
      yield* this.#children(({ child }) => child === event.child);
      // Its own session has its usage.
      if (event.type === 'subagent' && this.#parts.isShown(event.child)) return;
    }
    yield event;
  }

  *#children(isMeant: (child: RebuiltChild) => boolean): Generator<AgentEvent> {
    for (const { call, task, child } of this.#team.filter(isMeant))
      yield* this.#parts.child(call, task, child);
  }
}

/** What was shown of an answer before it was withdrawn. */
function* shown({
  text = '',
  reasoning = '',
  calls = [],
}: Omit<Extract<AgentEvent, { type: 'discarded' }>, 'type'>): Generator<AgentEvent> {
  if (reasoning !== '') yield { type: 'reasoning', text: reasoning };
  if (text !== '') yield { type: 'text', text };
  for (const call of calls) yield { type: 'call', ...call, arguments: {} };
}
