import type { PermissionOption } from '@agentclientprotocol/sdk';
import { type ApprovalAnswer, type ApprovalRequest, approvalScopes } from '../../agent/index.ts';
import { ANSWERS, DENIED, TOO_DEEP, visibleArguments } from '../../app/approvals/index.ts';
import { formatNumber, oneLine } from '../../app/terminal/index.ts';
import { errorMessage } from '../../errors.ts';
import { queueOfWork } from '../../tools/values/index.ts';
import type { ShownCall } from '../updates/index.ts';

/** How the user of an editor is asked. */
export interface Asking {
  /**
   * Shows the call with a text and these options, and resolves with the chosen one. `undefined`: the user
   * has cancelled the turn. Rejects when the signal fires, and if the editor cannot ask.
   */
  readonly choose: (
    call: ShownCall,
    text: string,
    options: readonly PermissionOption[],
    signal: AbortSignal,
  ) => Promise<string | undefined>;
  /** The signal of the running turn. */
  readonly signal: () => AbortSignal;
}

/** The permission requests of a session. */
export interface Permissions {
  readonly ask: (request: ApprovalRequest) => Promise<ApprovalAnswer>;
}

/** Most characters of the arguments in a question, and of a reason. */
const MAX_ARGUMENTS = 4_000;
const MAX_REASON = 300;

/** Creates the questions of a session. Several are asked one after the other. */
export function createPermissions({ choose, signal }: Asking): Permissions {
  const inTurn = queueOfWork();

  async function ask(request: ApprovalRequest): Promise<ApprovalAnswer> {
    const { id, name, reason, changes = [], subagent } = request;
    const { arguments: given } = request;
    const stop = anyOf(signal(), request.signal);
    const shown = visibleArguments(given, MAX_ARGUMENTS);
    if (!shown) return TOO_DEEP;
    const length = `The arguments have ${formatNumber(shown.length)} characters. Only a part is shown.`;
    const lines = [
      shown.short,
      ...(shown.isShortened ? [length] : []),
      ...(reason === undefined ? [] : [`Why you are asked: ${oneLine(reason, MAX_REASON)}`]),
      ...changes.map((change) => `Changed since the last question: ${oneLine(change, MAX_REASON)}`),
    ];
    const call = { id, name, arguments: given, path: subagent === undefined ? '' : `${subagent}/` };
    const offered = approvalOptions(request);
    let chosen: string | undefined;
    try {
      chosen = await choose(call, lines.join('\n'), offered, stop);
    } catch (error) {
      stop.throwIfAborted();
      return { approved: false, reason: `The user could not be asked: ${errorMessage(error)}` };
    }
    // The turn is cancelled.
    if (chosen === undefined) stop.throwIfAborted();
    const isOffered = offered.some(({ optionId }) => optionId === chosen);
    return (isOffered ? ANSWERS.get(chosen ?? '') : undefined) ?? DENIED;
  }

  return { ask: (request) => inTurn(() => ask(request)) };
}

/** One option of each kind: some editors choose by the kind alone. */
function approvalOptions(request: ApprovalRequest): PermissionOption[] {
  const all: readonly PermissionOption[] = [
    { optionId: 'once', name: 'Allow once', kind: 'allow_once' },
    { optionId: 'session', name: 'Allow for this session', kind: 'allow_always' },
    { optionId: 'reject', name: 'Reject', kind: 'reject_once' },
  ];
  const scopes: readonly string[] = approvalScopes(request);
  return all.filter(({ optionId }) => optionId === 'reject' || scopes.includes(optionId));
}

function anyOf(one: AbortSignal, other: AbortSignal | undefined): AbortSignal {
  return other ? AbortSignal.any([one, other]) : one;
}
