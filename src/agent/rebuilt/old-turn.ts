import type { Kind, Kinds } from '../entries/index.ts';
import { messageText } from '../entries/index.ts';
import type { AgentEvent } from '../events/index.ts';
import { outcomeOf } from '../log/index.ts';
import { askedEvent } from '../state/index.ts';
import { type ReadEntry, shown, type TurnParts, type TurnReader } from './read-turn.ts';

type Of<KIND extends Kind> = ReadEntry & { readonly body: Kinds[KIND] };
type CallEvent = Extract<AgentEvent, { type: 'call' }>;

/** One request of a turn, or what came before its first one. */
interface Step {
  readonly model: Of<'model'> | undefined;
  /** The calls of its answer, by id. */
  readonly calls: Map<string, Kinds['call']>;
  readonly outcomes: Of<'result'>[];
  /** Its subagents. */
  readonly team: { readonly call: string; readonly task: string; readonly child: string }[];
}

/**
 * The events of the entries of one turn as earlier versions wrote them. Entries about answers and calls are written as soon as they are
 * known, and `event` and `request` entries where the event was emitted. So an answer stands behind its
 * `request`, and what its calls came to before the next one.
 */
export class OldTurn implements TurnReader {
  readonly #parts: TurnParts;
  readonly #steps: Step[] = [newStep()];
  /** Calls as they were emitted, where their entries say something else, by the request before. */
  readonly #emitted = new Map<number | undefined, Map<string, CallEvent>>();
  readonly #requests = new Set<number>();
  readonly #settled = new Set<string>();
  /** The ids of the calls of answers. */
  readonly #shown = new Set<string>();
  /** The ids of calls that have started and whose answer is not shown yet. */
  readonly #early = new Map<string, Kinds['start']>();
  #isSent = false;
  #now: Step;

  constructor(entries: readonly ReadEntry[], parts: TurnParts) {
    this.#parts = parts;
    this.#now = this.#steps[0] as Step;
    this.#sort(entries);
  }

  get step(): number {
    return this.#now.model?.body.step ?? 0;
  }

  /** Finds out which entries belong to which answer. */
  #sort(entries: readonly ReadEntry[]): void {
    let request: number | undefined;
    for (const entry of entries) {
      const step = this.#steps.at(-1) as Step;
      const { kind, body } = entry;
      if (is(entry, 'model')) this.#steps.push(newStep(entry));
      if (is(entry, 'dropped')) this.#steps[this.#steps.length - 1] = newStep();
      if (is(entry, 'call')) step.calls.set(entry.body.id, entry.body);
      if (is(entry, 'result') && isOf(step, entry)) step.outcomes.push(entry);
      if (is(entry, 'request')) {
        request = entry.body.event.request;
        this.#requests.add(request);
      }
      if (is(entry, 'children')) {
        const { id: call, names } = entry.body;
        for (const [task, child] of Object.entries(names)) step.team.push({ call, task, child });
      }
      const event = kind === 'event' ? (body as Kinds['event']).event : undefined;
      if (event?.type !== 'call') continue;
      const calls = this.#emitted.get(request) ?? new Map<string, CallEvent>();
      this.#emitted.set(request, calls.set(event.id, event));
    }
  }

  *of(entry: ReadEntry): Generator<AgentEvent> {
    if (is(entry, 'turn')) this.#isSent = entry.body.how === 'send';
    if (is(entry, 'user') && this.#isSent)
      yield { type: 'user', text: messageText(entry.body.message) };
    if (is(entry, 'approval')) yield askedEvent(entry.body);
    if (is(entry, 'start')) {
      const { id } = entry.body;
      // An answer may stand behind what its calls have begun.
      const isEarly = !this.#shown.has(id) && this.#steps.some(({ calls }) => calls.has(id));
      if (isEarly) this.#early.set(id, entry.body);
      else yield { type: 'tool-start', ...entry.body };
    }
    if (is(entry, 'compaction')) {
      const { messages: _, ...compaction } = entry.body;
      yield* this.#settle();
      yield { type: 'compaction', ...compaction };
    }
    if (is(entry, 'model') && !this.#requests.has(entry.body.request ?? -1))
      yield* this.#answer(entry);
    if (is(entry, 'request')) {
      const { request } = entry.body.event;
      yield* this.#settle();
      yield this.#parts.request(entry.body);
      const step = this.#steps.find(({ model }) => model?.body.request === request);
      if (step?.model) yield* this.#answer(step.model);
    }
    if (is(entry, 'event')) yield* this.#event(entry.body.event);
  }

  *#event(event: AgentEvent): Generator<AgentEvent> {
    switch (event.type) {
      case 'call':
        // It may stand in its answer.
        if (!this.#shown.has(event.id)) yield event;
        return;
      case 'result':
      case 'failure':
        this.#settled.add(event.id);
        yield event;
        return;
      case 'discarded':
        yield* shown(event);
        yield event;
        return;
      case 'subagent':
      case 'subagent-end':
        yield* this.#children(
          this.#steps.flatMap(({ team }) => team.filter(({ child }) => child === event.child)),
        );
        // Its own session has its usage.
        if (event.type === 'subagent-end' || !this.#parts.isShown(event.child)) yield event;
        return;
      case 'end':
        yield* this.#settle();
        yield event;
        return;
      default:
        yield event;
    }
  }

  /** The texts and calls of an answer, in its order. */
  *#answer(entry: Of<'model'>): Generator<AgentEvent> {
    const step = this.#steps.find(({ model }) => model === entry);
    if (!step) return;
    yield* this.#settle();
    this.#now = step;
    const { content, request } = entry.body;
    const emitted = this.#emitted.get(request);
    for (const part of content) {
      if ((part.type === 'text' || part.type === 'reasoning') && part.text !== '')
        yield { type: part.type, text: part.text };
      if (part.type !== 'tool-call') continue;
      const { toolCallId: id } = part;
      const call = step.calls.get(id);
      // A call of a bridge tool is shown where it turned out that it did not run.
      if (!call) continue;
      this.#shown.add(id);
      yield emitted?.get(id) ?? { type: 'call', ...call };
    }
    for (const { id, name } of step.calls.values()) {
      const early = this.#early.get(id);
      if (early) yield { type: 'tool-start', ...early, name };
      this.#early.delete(id);
    }
  }

  end(): Iterable<AgentEvent> {
    return this.#settle();
  }

  /** What the calls of the present answer came to. */
  *#settle(): Generator<AgentEvent> {
    const { outcomes } = this.#now;
    yield* this.#children(this.#now.team);
    for (const { body } of outcomes.splice(0)) {
      // What bridge tools have loaded was an event of its own.
      if (!this.#settled.has(body.id) && !body.isBridge) yield* outcomeOf(body);
    }
    this.#settled.clear();
  }

  *#children(team: Step['team']): Generator<AgentEvent> {
    for (const { call, task, child } of team) yield* this.#parts.child(call, task, child);
  }
}

/** Whether a call of this step has the result. A later answer may use the id of a call again. */
function isOf({ model }: Step, { body }: Of<'result'>): boolean {
  return model === undefined || body.answer === undefined || body.answer === model.seq;
}

function newStep(model?: Of<'model'>): Step {
  return { model, calls: new Map(), outcomes: [], team: [] };
}

function is<KIND extends Kind>(entry: ReadEntry, kind: KIND): entry is Of<KIND> {
  return entry.kind === kind;
}
