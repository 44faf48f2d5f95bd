import type { PostedMessage } from '../../sessions/index.ts';
import type { ElicitationAnswer } from '../../tools/tool/index.ts';
import { isRecord } from '../../tools/values/index.ts';
import type { UnknownChoice } from '../entries/index.ts';
import type { ApprovalAnswer } from '../events/index.ts';
import { approvalIn, choiceIn, formIn } from './read-answers.ts';
import type { RemoteAnswers } from './remote-answers.ts';

/** Answers of other processes to the questions of an agent. */
export interface Remote {
  /** Shared with the subagents, whose approvals have ids that no other agent has. */
  readonly approvals: RemoteAnswers<ApprovalAnswer>;
  readonly forms: RemoteAnswers<ElicitationAnswer>;
  readonly choices: RemoteAnswers<UnknownChoice>;
}

interface Holder {
  readonly remote: Remote;
  readonly team: { cancel(child: string): Promise<boolean> } | undefined;
}

/** Does what a message of another process asks for. What is malformed or not known is ignored. */
export function takeMessage(
  { kind, body, at }: PostedMessage,
  { remote, team }: Holder,
  stop: () => void,
): void {
  if (!isRecord(body)) return;
  const { approvals, forms, choices } = remote;
  if (kind === 'cancel') stop();
  else if (kind === 'answer') giveAll(body, at, approvals, approvalIn);
  else if (kind === 'form') giveAll(body, at, forms, formIn);
  else if (kind === 'unknown') giveAll(body, at, choices, choiceIn);
  else if (kind === 'cancel-subagent' && typeof body.child === 'string')
    void team?.cancel(body.child).catch(() => {});
}

function giveAll<ANSWER>(
  body: object,
  at: number,
  answers: RemoteAnswers<ANSWER>,
  read: (value: unknown) => ANSWER | undefined,
): void {
  for (const [id, value] of Object.entries(body)) {
    const answer = read(value);
    if (answer !== undefined) answers.give(id, answer, at);
  }
}
