import { canonicalJson } from '../../tools/values/index.ts';
import type { AgentEvent } from '../events/index.ts';
import type { Kinds, Write } from './kinds.ts';
import { plainValue } from './plain.ts';

/** What happened to a call, as its entries say. Undefined for bridge tools: they are not shown. */
export function outcomeOf({
  id,
  name,
  output,
  error,
  duration,
  isBridge,
}: Kinds['result']): AgentEvent | undefined {
  if (isBridge) return;
  const took = duration === undefined ? {} : { duration };
  if (error === undefined) return { type: 'result', id, name, output, ...took };
  return { type: 'failure', id, name, error, ...took };
}

/** Compares what was emitted about calls to what follows from their entries. */
export class Told {
  readonly #known = new Map<string, AgentEvent>();
  readonly #emitted = new Map<string, AgentEvent>();
  readonly #asked = new Set<string>();

  /** An entry is written. */
  take([kind, body]: Write): void {
    if (kind === 'turn' && body.how === 'send') {
      this.#known.clear();
      this.#asked.clear();
    }
    if (kind === 'approval') this.#asked.add(body.approvalId);
    if (kind === 'call') this.#known.set(`call ${body.id}`, { type: 'call', ...body });
    const outcome = kind === 'result' ? outcomeOf(body) : undefined;
    if (outcome && 'id' in outcome) this.#known.set(`outcome ${outcome.id}`, outcome);
  }

  /** Whether an approval that was asked for in this turn is written. */
  hasAsked(approvalId: string): boolean {
    return this.#asked.has(approvalId);
  }

  /** Keeps an emitted event about a call. Returns whether it is one. */
  emit(event: AgentEvent): boolean {
    if (event.type !== 'call' && event.type !== 'result' && event.type !== 'failure') return false;
    this.#emitted.set(`${event.type === 'call' ? 'call' : 'outcome'} ${event.id}`, event);
    return true;
  }

  /** Withdrawn calls are in the event that withdraws them. */
  withdraw({ calls = [] }: Extract<AgentEvent, { type: 'discarded' }>): void {
    for (const { id } of calls) {
      this.#emitted.delete(`call ${id}`);
      this.#emitted.delete(`outcome ${id}`);
    }
  }

  /** The emitted events that do not follow from entries. */
  rest(): readonly AgentEvent[] {
    const rest = [...this.#emitted].flatMap(([key, event]) =>
      isSame(this.#known.get(key), event) ? [] : [event],
    );
    this.#emitted.clear();
    return rest;
  }
}

function isSame(known: AgentEvent | undefined, event: AgentEvent): boolean {
  if (!known) return false;
  const [one, other] = [known, event].map((given) => Object.entries(given));
  const values = new Map<string, unknown>(one);
  return (
    one?.length === other?.length &&
    (other ?? []).every(([key, value]) => values.has(key) && isEqual(values.get(key), value))
  );
}

function isEqual(one: unknown, other: unknown): boolean {
  return (
    Object.is(one, other) || canonicalJson(plainValue(one)) === canonicalJson(plainValue(other))
  );
}
