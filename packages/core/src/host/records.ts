import { Recent } from '../tools/values/index.ts';
import type { Asker, CallRecord } from './record.ts';

/** Maximum number of arrived calls, of questions, and of reports. The oldest are dropped: their calls are decided again. */
const LIMIT = 1_000;
/** Maximum number of records under one key. */
const LIMIT_PER_KEY = 100;

/** The records of calls from models. Shared by all views: a tool of one view has to see the decision of another. */
const byMetadata = new WeakMap<object, CallRecord>();

/** What identifies a call, beside its input. */
interface Query {
  readonly id: string;
  readonly name: string;
}

/** What a user was asked about: the tool, and what it would get. */
export interface Question {
  readonly binding: string;
  readonly digest: string;
}

/** The record of a call from a model, in whichever view it was decided. */
export function recordOf(metadata: object | undefined): CallRecord | undefined {
  return metadata && byMetadata.get(metadata);
}

/** Nobody knows who asked: only the user may answer, and only for this call. */
export const UNKNOWN_ASKER: Asker = { by: 'hook' };

const askers = new WeakMap<object, Asker>();

/** Records who asked about the call with this metadata object. */
export function noteAsker(metadata: object | undefined, asker: Asker): void {
  if (metadata) askers.set(metadata, asker);
}

/** Who asked about the call with this metadata object, as far as this process knows. */
export function askerOf(metadata: object | undefined): Asker {
  return (metadata && askers.get(metadata)) ?? UNKNOWN_ASKER;
}

/**
 * The records of the calls of one view. They only save work: a call without a record is decided where it
 * appears. A call from a model is found by the identity of its metadata object. Where the host does not
 * pass that on, it is found by id, name and input, if all records of these agree.
 */
export class Records {
  /** Calls from the model that the host has not brought yet. */
  readonly #arrived = new Recent<readonly CallRecord[]>(LIMIT);
  /** Calls that were decided and have not reached their tool, by conversation. */
  readonly #decided = new WeakMap<object, Map<string, readonly CallRecord[]>>();
  /** What users were asked about, by call and input. */
  readonly #questions = new Recent<Question>(LIMIT);
  /** Denied calls whose event was emitted, until the next request contains their results. */
  readonly #reported = new Recent<true>(LIMIT);

  /** Keeps the record of a call from the model. */
  arrive(record: CallRecord): void {
    if (record.metadata) byMetadata.set(record.metadata, record);
    add(this.#arrived, keyOf(record), record);
  }

  /** Removes and returns the record of a call from the model of this view. */
  take(call: Query, metadata: object | undefined, text: string): CallRecord | undefined {
    const key = keyOf(call);
    const known = recordOf(metadata);
    if (known) {
      remove(this.#arrived, keyOf(known), known);
      return known;
    }
    const [first, ...others] = (this.#arrived.get(key) ?? []).filter(
      ({ expected }) => expected === text,
    );
    if (!first || !others.every((other) => isAlike(other, first))) return;
    remove(this.#arrived, key, first);
    return first;
  }

  /** Records that the host asks for approval of a call, whatever its input. */
  markAsked(call: Query): void {
    for (const record of this.#arrived.get(keyOf(call)) ?? []) record.isAsked = true;
  }

  /** Whether the call came from the model of this view, and the host has not asked for its approval. */
  isUnasked(call: Query): boolean {
    return this.#arrived.get(keyOf(call))?.some(({ isAsked }) => !isAsked) ?? false;
  }

  /** Passes a decided call on to its tool. A conversation is identified by an object of the host. */
  decide(conversation: object, record: CallRecord): void {
    const calls = this.#decided.get(conversation) ?? new Map<string, readonly CallRecord[]>();
    this.#decided.set(conversation, calls);
    add(calls, keyOf(record), record);
  }

  /** Returns the record of a decided call. It is used once. */
  takeDecided(conversation: object, call: Query, text: string): CallRecord | undefined {
    const record = this.peekDecided(conversation, call, text);
    if (record) remove(this.#decided.get(conversation), keyOf(call), record);
    return record;
  }

  peekDecided(conversation: object, call: Query, text: string): CallRecord | undefined {
    const records = this.#decided.get(conversation)?.get(keyOf(call));
    return records?.find(({ expected }) => expected === text);
  }

  /** Deletes the records of a call that is decided from the beginning. */
  revoke(conversation: object, call: Query, text: string): void {
    while (this.takeDecided(conversation, call, text));
  }

  /** Records a question to the user. Without a question, an earlier one about the call is deleted. */
  ask(call: Query, text: string, question: Question | undefined): void {
    const key = `${keyOf(call)} ${text}`;
    if (question) this.#questions.set(key, question);
    else this.#questions.delete(key);
  }

  /** What a user was asked about this call in this process. */
  asked(call: Query, text: string): Question | undefined {
    return this.#questions.get(`${keyOf(call)} ${text}`);
  }

  /** Records that the event of a denied call was emitted. */
  report(call: Query): void {
    this.#reported.set(keyOf(call), true);
  }

  /** Whether the event of a denied call was emitted. Removes the entry. */
  takeReported(call: Query): boolean {
    return this.#reported.delete(keyOf(call));
  }
}

/** The length keeps a name apart from the end of an id. */
function keyOf({ id, name }: Query): string {
  return `${id.length} ${id} ${name}`;
}

type Lists = Pick<Map<string, readonly CallRecord[]>, 'get' | 'set' | 'delete'>;

function add(lists: Lists | Recent<readonly CallRecord[]>, key: string, record: CallRecord): void {
  lists.set(key, [...(lists.get(key) ?? []), record].slice(-LIMIT_PER_KEY));
}

function remove(
  lists: Lists | Recent<readonly CallRecord[]> | undefined,
  key: string,
  record: CallRecord,
): void {
  const others = (lists?.get(key) ?? []).filter((other) => other !== record);
  if (others.length > 0) lists?.set(key, others);
  else lists?.delete(key);
}

/** Whether two calls were decided alike. */
function isAlike(one: CallRecord, other: CallRecord): boolean {
  return (
    one.refused?.isRepairable === other.refused?.isRepairable &&
    one.refused?.isDenied === other.refused?.isDenied &&
    JSON.stringify(one.asker) === JSON.stringify(other.asker) &&
    one.resolved?.tool?.tool === other.resolved?.tool?.tool
  );
}
