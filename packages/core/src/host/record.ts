import type { ToolRequest } from '../tools/calls/index.ts';
import type { Session } from '../tools/session/index.ts';
import type { CallEvent } from '../tools/transcript/index.ts';
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
export type Asker =
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
  asker?: Asker | undefined;
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
