import type { Turn } from '../../tools/calls/index.ts';
import type { Asker, Digests, Refusal, Subject } from '../calls/index.ts';
import type { FindSetting } from './setting.ts';

/** The user's approval of a call that the host resumes, as the messages contain it. */
export interface Answer {
  /** The binding of the tool when the user was asked; undefined if the messages do not contain it. */
  readonly binding: string | undefined;
  /** The digests of the call when the user was asked. */
  readonly digests: Digests;
  readonly wireName: string | undefined;
}

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

/** Permission to run one tool with one input. If the subject is late, its group has to load and the call is decided again. */
export interface Permit {
  readonly subject: Subject;
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
  readonly turn?: Turn | undefined;
  /** The signal of that request. */
  readonly signal?: AbortSignal | undefined;
  /** The text of the input that the host is expected to bring. */
  expected: string;
  readonly answer?: Answer | undefined;
  /** The call with the arguments that the hooks returned. Undefined until the call is resolved. */
  subject?: Subject | undefined;
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
