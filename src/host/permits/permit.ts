import type { Refusal, Subject } from '../calls/index.ts';
import type { FindSetting } from './setting.ts';

/** Permission to run one tool with one input, given by the hooks and the view of one policy. */
export interface Permit {
  readonly kind: 'permit';
  /** The call to run. If it is late, its group has to load and the call is decided again. */
  readonly subject: Subject;
  /** The user's approval of this call, with the binding of the tool when the user was asked. */
  readonly answer: Answer | undefined;
  /** The setting has been applied: the tool's own `needsApproval` no longer counts. */
  readonly settingApplied: boolean;
  /** Finds the app's setting with the context that the host gave when it asked for approval. */
  readonly setting: FindSetting;
  /** The provider metadata of the call, if the host passes it on. */
  readonly metadata: object | undefined;
  readonly wireName: string | undefined;
}

/** A refusal that the tool gives as its answer in place of running. */
export interface Withheld {
  readonly kind: 'withheld';
  readonly refusal: Refusal;
  /** The refusal was already reported as an event. */
  readonly isReported: boolean;
  /** The user would have been asked if the host had asked the policy for approval. */
  readonly isUnasked?: boolean;
  readonly wireName: string | undefined;
}

export type Ticket = Permit | Withheld;

/** The user's approval of a call, as the host found it in the messages. */
export interface Answer {
  /** The binding of the tool when the user was asked; undefined if the messages do not contain it. */
  readonly binding: string | undefined;
  /** The digest of name and input when the user was asked; undefined if the messages do not contain it. */
  readonly digest: string | undefined;
  readonly wireName: string | undefined;
}

/**
 * Passes the result of `approve` on to the execution of the tool; each ticket is used once. A
 * conversation is identified by an object of the host: the same call id in another conversation finds
 * no ticket.
 */
export class Permits {
  readonly #byConversation = new WeakMap<object, Map<string, Ticket[]>>();

  issue(conversation: object, key: string, ticket: Ticket): void {
    const tickets = this.#byConversation.get(conversation) ?? new Map<string, Ticket[]>();
    this.#byConversation.set(conversation, tickets);
    tickets.set(key, [...(tickets.get(key) ?? []), ticket]);
  }

  /** The next ticket of a call. It is not removed. */
  peek(conversation: object, key: string): Ticket | undefined {
    return this.#byConversation.get(conversation)?.get(key)?.[0];
  }

  take(conversation: object, key: string): Ticket | undefined {
    const tickets = this.#byConversation.get(conversation);
    const [ticket, ...others] = tickets?.get(key) ?? [];
    if (others.length > 0) tickets?.set(key, others);
    else tickets?.delete(key);
    return ticket;
  }

  /** Deletes the tickets of a call that is decided from the beginning. */
  revoke(conversation: object, key: string): void {
    this.#byConversation.get(conversation)?.delete(key);
  }
}

/** The key of a call for tickets. */
export function ticketKey(id: string, name: string, text: string): string {
  return JSON.stringify([id, name, text]);
}
