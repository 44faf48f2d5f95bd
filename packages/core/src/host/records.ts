import type { ToolRequest } from '../calls/index.ts';
import type { Session } from '../session/index.ts';
import type { CallEvent } from '../transcript/index.ts';
import { Recent } from '../values/index.ts';
import type { Hooks } from './hooks.ts';
import type { Refusal } from './refusal.ts';
import type { ResolvedCall } from './resolve.ts';
import type { Digests } from './stamp.ts';

/** The user's approval of a call that the host resumes, as the messages contain it. */
export interface UserApproval {
  /** The binding of the tool when the user was asked; undefined if the messages do not contain it. */
  readonly binding: string | undefined;
  /** The digests of the call when the user was asked. */
  readonly digests: Digests;
  readonly wireName: string | undefined;
}

/**
 * The approval setting for a call: from the app's `toolApproval` or the tool's `needsApproval`. One
 * member for each type and no `undefined` among the reasons, because hosts return it to the AI SDK, and
 * an app may be compiled with `exactOptionalPropertyTypes`.
 */
export type Setting =
  | { readonly type: 'denied'; readonly reason?: string }
  | { readonly type: 'user-approval'; readonly reason?: string }
  | { readonly type: 'approved'; readonly reason?: string }
  | { readonly type: 'not-applicable'; readonly reason?: never }
  /** The tool's `needsApproval` is not known before the tool has loaded. */
  | { readonly type: 'unknown'; readonly reason?: never };

/** The approval status of a call, as hosts return it. */
export type Approval = Exclude<Setting, { type: 'unknown' }>;

/**
 * Finds the setting of a call that the hooks have allowed. `bypassed`: the call bypassed `approve`, so
 * the tool's own `needsApproval` does not count.
 */
export type FindSetting = (resolved: ResolvedCall, bypassed: boolean) => Promise<Setting>;

/** Who requires the user's approval of a call. */
export type ApprovalRequester =
  /** A hook. `key`: the user's answer may hold for the session, for calls with the same key. */
  | { readonly by: 'hook'; readonly key?: string }
  /** The app's setting, or the tool's own `needsApproval`. */
  | { readonly by: 'setting' };

/** Why a call does not run. */
export interface Refused {
  readonly refusal: Refusal;
  /** The host denies the call. If not, the tool gives the refusal as its answer. */
  readonly isDenied: boolean;
  /** The input is invalid, and the app may repair it. Otherwise only the model can call again. */
  readonly isRepairable: boolean;
  /** The event of the refusal was emitted. */
  readonly isReported: boolean;
  /** The user would have been asked if the host had asked for approval. */
  readonly isUnasked?: boolean;
}

/** Permission to run one tool with one input. If the call is late, its group has to load and the call is decided again. */
export interface Permit {
  readonly resolved: ResolvedCall;
  /** The text of the input that is permitted. Whoever changes the input has no permit for it. */
  readonly text: string;
  /** Finds the app's setting with the context that the host gave when it asked for approval. */
  readonly setting: FindSetting;
}

/**
 * What is known of one call, from its beginning to its end. A call begins with the answer of a model (it has
 * a turn), is resumed by the host after an approval (it has an answer), or comes directly from code.
 */
export interface CallRecord {
  /** The view that decides about the call. */
  readonly view: object;
  readonly id: string;
  /** The name of the tool in the host. */
  name: string;
  readonly wireName?: string | undefined;
  /** The provider metadata of the call, which the host passes on with the call and its result. */
  metadata?: object | undefined;
  /** The turn of the request that the call answers. */
  readonly turn?: ToolRequest | undefined;
  /** The signal of that request. */
  readonly signal?: AbortSignal | undefined;
  /** The text of the input that the host is expected to bring. */
  expected: string;
  readonly approval?: UserApproval | undefined;
  /** The call with the arguments that the hooks returned. Undefined until the call is resolved. */
  resolved?: ResolvedCall | undefined;
  /** The text of the input that the hooks have allowed. */
  allowed?: string | undefined;
  /** The hook that requires the user's approval. */
  asker?: ApprovalRequester | undefined;
  /** The text of the input that the app's setting has permitted. */
  settled?: string | undefined;
  refused?: Refused | undefined;
  permit?: Permit | undefined;
  /** The host has asked for approval of the call. */
  isAsked?: boolean;
}

/** A call when the host asks for approval, or when its tool is about to run. */
export interface HostCall {
  readonly id: string;
  readonly name: string;
  readonly input: unknown;
  /** Identifies the conversation: the same object for approval and execution of a call. */
  readonly conversation: object;
  /** The metadata object of the call, if the host passes it on. */
  readonly metadata: object | undefined;
  /** The user's approval, if the host resumes an approved call. */
  readonly approval: UserApproval | undefined;
  readonly signal: AbortSignal | undefined;
  /** The layer does not have the tool. */
  readonly isForeign: boolean;
  /** Toolfold runs the tool, so the tool can give a refusal as its answer. */
  readonly isRunHere: boolean;
  /** The present binding of a tool that the layer does not have. */
  readonly binding: string | undefined;
  /** Creates the turn when it is first needed. */
  readonly turn: () => ToolRequest;
}

/** One view of the tools, as far as its calls are decided. The adapter of a host implements it. */
export interface HostView {
  readonly session: Pick<Session, 'find' | 'loadedTool' | 'bindingOf' | 'isBound'>;
  readonly hooks: Hooks;
  /** The off switch: the host behaves as without Toolfold, and approvals have no binding. */
  readonly isOff: boolean;
  /** Resolves a call. Unless `mayLoad`, no loader runs, and the call is late if its group has not loaded. */
  resolve(call: HostCall, mayLoad: boolean): Promise<ResolvedCall | Refusal>;
  readonly onCall: (event: CallEvent) => void;
}

/** Maximum number of arrived calls, of questions, and of reports. The oldest are dropped: their calls are decided again. */
const LIMIT = 1_000;
/** Maximum number of records under one key. */
const LIMIT_PER_KEY = 100;

/** The records of calls from models. Shared by all views: a tool of one view has to see the decision of another. */
const byMetadata = new WeakMap<object, CallRecord>();

/** The ids of the last calls that models of any view made. */
const fromModels = new Recent<true>(10_000);

/** Whether a model of some view made a call with this id lately. */
export function isFromModel(id: string): boolean {
  return fromModels.get(id) === true;
}

/** What identifies a call, beside its input. */
interface CallKey {
  readonly id: string;
  readonly name: string;
}

/** What a user was asked about: the tool, and what it would get. */
interface CallFingerprint {
  readonly binding: string;
  readonly digest: string;
}

/** The record of a call from a model, in whichever view it was decided. */
export function recordOf(metadata: object | undefined): CallRecord | undefined {
  return metadata && byMetadata.get(metadata);
}

/** Nobody knows who asked: only the user may answer, and only for this call. */
export const UNKNOWN_ASKER: ApprovalRequester = { by: 'hook' };

const askers = new WeakMap<object, ApprovalRequester>();

/** Records who asked about the call with this metadata object. */
export function noteAsker(metadata: object | undefined, asker: ApprovalRequester): void {
  if (metadata) askers.set(metadata, asker);
}

/** Who asked about the call with this metadata object, as far as this process knows. */
export function askerOf(metadata: object | undefined): ApprovalRequester {
  return (metadata && askers.get(metadata)) ?? UNKNOWN_ASKER;
}

/**
 * The records of the calls of one view. They only save work: a call without a record is decided where it
 * appears. A call from a model is found by the identity of its metadata object. Where the host does not
 * pass that on, it is found by id, name and input, if all records of these agree.
 */
export class Records {
  /** Calls from the model that the host has not asked about or started yet. */
  readonly #arrived = new Recent<readonly CallRecord[]>(LIMIT);
  /** Calls that were decided and have not reached their tool, by conversation. */
  readonly #decided = new WeakMap<object, Map<string, readonly CallRecord[]>>();
  /** What users were asked about, by call and input. */
  readonly #questions = new Recent<CallFingerprint>(LIMIT);
  /** Denied calls whose event was emitted, until the next request contains their results. */
  readonly #reported = new Recent<true>(LIMIT);

  /** Keeps the record of a call from the model. */
  arrive(record: CallRecord): void {
    if (record.metadata) byMetadata.set(record.metadata, record);
    fromModels.set(record.id, true);
    add(this.#arrived, keyOf(record), record);
  }

  /** Removes and returns the record of a call from the model of this view. */
  take(call: CallKey, metadata: object | undefined, text: string): CallRecord | undefined {
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
  markAsked(call: CallKey): void {
    for (const record of this.#arrived.get(keyOf(call)) ?? []) record.isAsked = true;
  }

  /** Whether the call came from the model of this view, and the host has not asked for its approval. */
  isUnasked(call: CallKey): boolean {
    return this.#arrived.get(keyOf(call))?.some(({ isAsked }) => !isAsked) ?? false;
  }

  /** Passes a decided call on to its tool. A conversation is identified by an object of the host. */
  decide(conversation: object, record: CallRecord): void {
    const calls = this.#decided.get(conversation) ?? new Map<string, readonly CallRecord[]>();
    this.#decided.set(conversation, calls);
    add(calls, keyOf(record), record);
  }

  /** Returns the record of a decided call. It is used once. */
  takeDecided(conversation: object, call: CallKey, text: string): CallRecord | undefined {
    const record = this.peekDecided(conversation, call, text);
    if (record) remove(this.#decided.get(conversation), keyOf(call), record);
    return record;
  }

  peekDecided(conversation: object, call: CallKey, text: string): CallRecord | undefined {
    const records = this.#decided.get(conversation)?.get(keyOf(call));
    return records?.find(({ expected }) => expected === text);
  }

  /** Deletes the records of a call that is decided from the beginning. */
  revoke(conversation: object, call: CallKey, text: string): void {
    while (this.takeDecided(conversation, call, text));
  }

  /** Records a question to the user. Without a question, an earlier one about the call is deleted. */
  ask(call: CallKey, text: string, question: CallFingerprint | undefined): void {
    const key = `${keyOf(call)} ${text}`;
    if (question) this.#questions.set(key, question);
    else this.#questions.delete(key);
  }

  /** What a user was asked about this call in this process. */
  asked(call: CallKey, text: string): CallFingerprint | undefined {
    return this.#questions.get(`${keyOf(call)} ${text}`);
  }

  /** Records that the event of a denied call was emitted. */
  report(call: CallKey): void {
    this.#reported.set(keyOf(call), true);
  }

  /** Whether the event of a denied call was emitted. Removes the entry. */
  takeReported(call: CallKey): boolean {
    return this.#reported.delete(keyOf(call));
  }
}

/** The length keeps a name apart from the end of an id. */
function keyOf({ id, name }: CallKey): string {
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
