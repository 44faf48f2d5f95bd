import type { Agent, PendingApproval } from '@toolfold/agent/internal/agent';
import { isAllowedCall } from '@toolfold/agent/internal/agent/approvals';
import type { Allowed } from '@toolfold/config/internal/config';
import { type Begin, quoted } from '../../app/conversations/index.ts';
import { callLine, formatCount, oneLine, usageError } from '../../app/terminal/index.ts';

/** Most characters of a name. */
const MAX_LINE = 300;

export interface ContinueOptions {
  /** Left out, the turn that the session stopped in goes on. */
  readonly prompt: string | undefined;
  readonly canAsk: boolean;
  /** What runs without a question. */
  readonly allow: readonly Allowed[];
  readonly session: string;
  /** Goes on with the session. */
  readonly command: string;
  readonly note: (text: string) => void;
}

/**
 * What begins the next turn of a session. Resolves with `undefined` if it waits for approvals that nobody can give here: they are
 * named. Rejects with `invalid-option` if no prompt is given and the session has nothing to go on with.
 */
export async function continuedTurn(
  agent: Agent,
  options: ContinueOptions,
): Promise<Begin | undefined> {
  const { prompt, canAsk, allow, session, command, note } = options;
  const { pending } = agent;
  const unknown = await agent.unknown();
  if (prompt !== undefined) {
    const left = pending.length + unknown.length;
    if (left > 0) {
      const what = formatCount(left, 'call');
      note(
        `${what} of the turn before did not end, and will not: the model is told. Without a prompt, that turn goes on: ${command}`,
      );
    }
    return (agent, signal) => agent.send(prompt, { signal });
  }
  if (pending.length > 0 && !canAsk) {
    if (!pending.every((call) => isAllowed(agent, call, allow))) {
      noteWaiting(pending, options);
      return;
    }
    const answers = pending.map(({ approvalId }) => [approvalId, { approved: true }] as const);
    return (agent, signal) => agent.answer(Object.fromEntries(answers), { signal });
  }
  if (!agent.canResume)
    throw usageError(`The session "${session}" has no turn to go on with.`, 'Give a prompt.');
  for (const { name, arguments: given } of canAsk ? [] : unknown)
    note(`It had started, and is not run again: ${callLine(name, given)}`);
  return (agent, signal) => agent.resume({ signal });
}

/** Names the calls that wait for approval, and what to do. */
export function noteWaiting(
  pending: readonly PendingApproval[],
  { command, note }: Pick<ContinueOptions, 'command' | 'note'>,
): void {
  for (const { name, arguments: given } of pending)
    note(`It waits for approval: ${callLine(name, given)}`);
  // The question of a hook has to be answered by a person.
  const isAllowable = pending.every(({ askedBy }) => askedBy === 'setting');
  const flags = [
    ...new Set(pending.map(({ name }) => `--allow ${quoted(oneLine(name, MAX_LINE))}`)),
  ];
  note(`To answer, on a terminal: ${command}`);
  if (isAllowable) note(`To allow it: ${command} ${flags.join(' ')}`);
}

/** Whether the flags answer a question. They do not answer a hook's question. */
function isAllowed(
  { fold }: Agent,
  call: PendingApproval,
  allow: ContinueOptions['allow'],
): boolean {
  return call.askedBy === 'setting' && isAllowedCall(allow, call, fold.layer);
}
