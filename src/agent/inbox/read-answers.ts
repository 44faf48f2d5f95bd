import type { ElicitationAnswer, FormValue } from '../../tools/tool/index.ts';
import { isRecord } from '../../tools/values/index.ts';
import { isAnswer } from '../approvals/index.ts';
import type { UnknownChoice } from '../entries/index.ts';
import type { ApprovalAnswer } from '../events/index.ts';

// Messages may come from any version of any program: each function takes over what it knows, and returns
// undefined for what is no answer.

export function approvalIn(value: unknown): ApprovalAnswer | undefined {
  if (!isAnswer(value)) return;
  const { approved, scope, reason } = value;
  if (![undefined, 'once', 'session', 'always'].includes(scope) || !isText(reason)) return;
  return {
    approved,
    ...(scope === undefined ? {} : { scope }),
    ...(reason === undefined ? {} : { reason }),
  };
}

export function formIn(value: unknown): ElicitationAnswer | undefined {
  if (!isRecord(value)) return;
  const { action, content } = value;
  if (action === 'decline' || action === 'cancel') return { action };
  if (action !== 'accept') return;
  if (content === undefined) return { action };
  return isForm(content) ? { action, content } : undefined;
}

export function choiceIn(value: unknown): UnknownChoice | undefined {
  if (!isRecord(value)) return;
  const { choice, note } = value;
  if (choice !== 'again' && choice !== 'happened' && choice !== 'leave') return;
  if (!isText(note)) return;
  return { choice, ...(note === undefined ? {} : { note }) };
}

function isForm(content: unknown): content is Readonly<Record<string, FormValue>> {
  return (
    isRecord(content) &&
    !Array.isArray(content) &&
    Object.values(content).every((value) =>
      Array.isArray(value)
        ? value.every((one) => typeof one === 'string')
        : ['string', 'number', 'boolean'].includes(typeof value),
    )
  );
}

function isText(value: unknown): value is string | undefined {
  return value === undefined || typeof value === 'string';
}
