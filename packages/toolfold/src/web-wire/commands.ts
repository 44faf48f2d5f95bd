import type { ExposureChange } from '../insight/index.ts';
import type { Answer } from '../questions/index.ts';

/** A file in a message: text, or a data URL of an image. */
export interface WireFile {
  readonly name: string;
  readonly mediaType: string;
  /** Base64. */
  readonly data: string;
}

/** What the page asks of a session. `id` of a message is that of its `user` entry, so that a POST sent twice counts once. */
export type WireCommand =
  | {
      readonly type: 'say';
      readonly id: string;
      readonly text: string;
      readonly files?: readonly WireFile[];
      readonly when?: 'now' | 'after';
    }
  | { readonly type: 'take-back'; readonly id: string }
  | { readonly type: 'answer'; readonly question: string; readonly answer: Answer }
  | { readonly type: 'cancel' }
  | { readonly type: 'continue'; readonly id: string }
  | { readonly type: 'compact'; readonly id: string }
  | { readonly type: 'tools'; readonly on: boolean }
  | { readonly type: 'server'; readonly name: string; readonly on: boolean }
  | { readonly type: 'restart'; readonly name: string }
  | { readonly type: 'login'; readonly name: string }
  | {
      readonly type: 'choose';
      readonly model?: string;
      readonly role?: string | null;
      readonly strategy?: string;
    }
  | {
      readonly type: 'quick';
      readonly id: string;
      readonly text: string;
      readonly withConversation: boolean;
    }
  | { readonly type: 'cancel-quick'; readonly id: string }
  | { readonly type: 'rename'; readonly title: string }
  /** A fork before the message of this turn, counted from 0; without one, of all. Replies with the id of the fork. */
  | { readonly type: 'fork'; readonly id: string; readonly before?: number }
  | { readonly type: 'stop-subagent'; readonly child: string }
  | { readonly type: 'preview'; readonly change: ExposureChange }
  | {
      readonly type: 'prune';
      readonly id: string;
      readonly change: ExposureChange;
      readonly base: string;
    }
  | { readonly type: 'undo'; readonly id: string }
  /** Opens the session again, so that it reads the changed configuration. */
  | { readonly type: 'reopen' };

/** The reply to a POST. `gone`: the question, message or session is not there any more. */
export type WireReply =
  | { readonly ok: true; readonly session?: string; readonly value?: unknown }
  | { readonly ok: false; readonly code: string; readonly message: string; readonly hint?: string };

/**
 * Addresses, all with `Authorization: Bearer TOKEN`.
 *
 * - `GET /api/stream?session=ID`: `text/event-stream`; the first event `state` holds a `WireState`, each `patch` a `Patch`.
 * - `POST /api/command?session=ID`: a `WireCommand`; replies a `WireReply`.
 * - `POST /api/sessions`: opens a new session or `{ "id": … }` one of the store; replies with its id.
 * - `GET /api/sessions?words=`: `WireListed[]`. `DELETE /api/sessions?session=ID`.
 * - `GET /api/turns?session=ID&before=N`: the turns before number N, at most `MOST_TURNS`.
 * - `GET /api/bars?session=ID&before=N`, `GET /api/prompt?session=ID&request=N[&subagent=PATH]`: a `WirePrompt`.
 * - `GET /api/value?session=ID&address=A`: a large value as text.
 * - `GET /api/map?session=ID`: a `WireMap`. `GET /api/tool?session=ID&name=NAME`: its schema.
 * - `GET /api/child?session=ID&child=NAME`: the turns of a subagent.
 * - `GET /api/export?session=ID`: Markdown. `GET /api/complete?session=ID&text=@…`: completions of `@` and `/`.
 */
export const API = '/api';
