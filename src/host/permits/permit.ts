import type { Refusal, Subject } from '../calls/index.ts';
import type { FindSetting } from './setting.ts';

/** What a tool may be run with: this tool, this very input, judged by these hooks and this view. */
export interface Permit {
  readonly kind: 'permit';
  /** What runs; late, where it has to be loaded and judged once more. */
  readonly subject: Subject;
  /** The user has said yes to this call; what the tool was known by when the user was asked. */
  readonly answer: Answer | undefined;
  /** Whether it is settled that the tool's own wish to be asked for holds no longer. */
  readonly isSettled: boolean;
  /** How the app's setting was found where the call was approved: with all that is known there. */
  readonly setting: FindSetting;
  /** What travels with the call's result, where the host passes it on. */
  readonly metadata: object | undefined;
  readonly wireName: string | undefined;
}

/** A refusal that the tool gives in place of running. */
export interface Withheld {
  readonly kind: 'withheld';
  readonly refusal: Refusal;
  /** It was reported already. */
  readonly isReported: boolean;
  /** The user would have been asked, had the host asked here whether the call may run. */
  readonly isUnasked?: boolean;
  readonly wireName: string | undefined;
}

export type Ticket = Permit | Withheld;

/** The user's yes to a call, as the host found it in the messages. */
export interface Answer {
  /** What the tool was known by when the user was asked; undefined where the messages do not say. */
  readonly binding: string | undefined;
  /** A text that stands for the input then; undefined where the messages do not say. */
  readonly about: string | undefined;
  readonly wireName: string | undefined;
}

/**
 * Tickets between the point of approval and the tool, for one use each. A conversation is known by
 * the identity of what the host has for it: the same ids in another one find nothing.
 */
export class Permits {
  readonly #byConversation = new WeakMap<object, Map<string, Ticket[]>>();

  issue(conversation: object, key: string, ticket: Ticket): void {
    const tickets = this.#byConversation.get(conversation) ?? new Map<string, Ticket[]>();
    this.#byConversation.set(conversation, tickets);
    tickets.set(key, [...(tickets.get(key) ?? []), ticket]);
  }

  /** The next ticket, left where it is. */
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

  /** Forgets what was issued for a call that is judged from the beginning. */
  revoke(conversation: object, key: string): void {
    this.#byConversation.get(conversation)?.delete(key);
  }
}

/** A call as tickets know it. */
export function ticketKey(id: string, name: string, text: string): string {
  return JSON.stringify([id, name, text]);
}
