import * as z from '@toolfold/config/internal/schemas.ts';
import { errorMessage, ToolfoldError } from '@toolfold/core/internal/errors.ts';
import type { WireCommand, WireReply } from '../web-wire/index.ts';

/** Most characters of an id. */
const MAX_ID = 200;

const text = z.string();
const flag = z.boolean();
const id = z.string().check(
  z.minLength(1),
  z.refine((given) => given.length <= MAX_ID),
);
const file = z.object({ name: text, mediaType: text, data: text });
const value = z.union([text, z.number(), flag, z.array(text)]);
const change = z.record(text, z.enum(['inline', 'deferred', 'hidden', 'default']));

/** Each command by its type. */
const COMMANDS: { readonly [TYPE in WireCommand['type']]: z.ZodMiniType } = {
  say: z.object({
    ...{ id, text, files: z.optional(z.array(file)) },
    when: z.optional(z.enum(['now', 'after'])),
  }),
  'take-back': z.object({ id }),
  answer: z.object({
    question: id,
    answer: z.object({
      ...{ choice: text, text: z.optional(text) },
      content: z.optional(z.record(text, value)),
    }),
  }),
  cancel: z.object({}),
  continue: z.object({ id }),
  compact: z.object({ id }),
  tools: z.object({ on: flag }),
  server: z.object({ name: text, on: flag }),
  restart: z.object({ name: text }),
  login: z.object({ name: text }),
  choose: z.object({
    ...{ model: z.optional(text), role: z.optional(z.union([text, z.null()])) },
    strategy: z.optional(text),
  }),
  quick: z.object({ id, text, withConversation: flag }),
  'cancel-quick': z.object({ id }),
  rename: z.object({ title: text }),
  fork: z.object({ id, before: z.optional(z.number()) }),
  'stop-subagent': z.object({ child: text }),
  preview: z.object({ change }),
  prune: z.object({ id, change, base: text }),
  undo: z.object({ id }),
  reopen: z.object({}),
};

/** The command of a body. Throws a refusal that says what is wrong. */
export function readCommand(body: unknown): WireCommand {
  const { type } = z.object({ type: text }).safeParse(body).data ?? {};
  if (type === undefined || !Object.hasOwn(COMMANDS, type))
    throw refused('unknown-command', 'There is no such command.', 'Load the page again.');
  const { success, data, error } = COMMANDS[type as WireCommand['type']].safeParse(body);
  if (success) return { type, ...(data as object) } as WireCommand;
  const [issue] = error.issues;
  const where = issue?.path.join('.') ?? '';
  throw refused(
    'invalid-command',
    `"${where}" of the command is not valid.`,
    'Load the page again.',
  );
}

const PLACE = z.object({ id: z.optional(id), folder: z.optional(text) });

/** What is opened: a session of the store, or a new one in a folder. */
export function readPlace(body: unknown): { readonly id?: string; readonly folder?: string } {
  const { success, data } = PLACE.safeParse(body);
  if (success) return data as { id?: string; folder?: string };
  throw refused('invalid-command', 'The body names no session.', 'Load the page again.');
}

/** A request that is refused, with the status of HTTP for it. */
export class Refusal extends Error {
  readonly code: string;
  readonly hint: string;
  readonly status: 400 | 401 | 403 | 404 | 409 | 413 | 500;

  constructor(code: string, message: string, hint: string, status: Refusal['status']) {
    super(message);
    this.code = code;
    this.hint = hint;
    this.status = status;
  }
}

/** What a command is about is not there any more. */
export function gone(message: string, hint: string): Refusal {
  return new Refusal('gone', message, hint, 404);
}

/** The request makes no sense, or not now. */
export function refused(code: string, message: string, hint: string): Refusal {
  return new Refusal(code, message, hint, 400);
}

/** The reply to a request that failed, and its status. */
export function failure(
  error: unknown,
  hide: (text: string) => string,
): { readonly reply: WireReply; readonly status: Refusal['status'] } {
  const { code, message, hint, status } = partsOf(error);
  const said = { ok: false as const, code, message: hide(message) };
  return { reply: hint === '' ? said : { ...said, hint: hide(hint) }, status };
}

/** The codes of the user's mistakes. */
const MISTAKES: ReadonlySet<string> = new Set([
  ...['invalid-option', 'invalid-config', 'unknown-role', 'session-busy', 'empty-role'],
]);

function partsOf(error: unknown): Pick<Refusal, 'code' | 'message' | 'hint' | 'status'> {
  if (error instanceof Refusal) return error;
  if (!(error instanceof ToolfoldError))
    return { code: 'failed', message: errorMessage(error), hint: '', status: 500 };
  const { code, hint } = error;
  // Its message ends with the hint.
  const message = error.message.slice(0, -hint.length).trimEnd();
  if (code === 'session-unknown') return { code: 'gone', message, hint, status: 404 };
  return { code, message, hint, status: MISTAKES.has(code) ? 400 : 500 };
}
