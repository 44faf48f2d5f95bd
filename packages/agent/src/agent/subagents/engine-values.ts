import { isFiniteAmount, isRecord, ownProperty } from '@toolfold/core/internal/tools/values';
import { STATUSES } from '../events/index.ts';
import type { BatchRun, Ending, EngineUpdate } from './engine/index.ts';

const FIGURES = ['input', 'cacheRead', 'cacheWrite', 'output'] as const;

/** Whether `start` of an engine has returned a run. */
export function isRun(value: unknown): value is BatchRun {
  return isRecord(value) && typeof value.send === 'function' && value.finished !== undefined;
}

/**
 * Whether a value from an engine is an update. The value may come from another process. Of a result
 * only the child is checked: a malformed result still ends that child.
 */
export function isUpdate(value: unknown): value is EngineUpdate {
  if (!isRecord(value)) return false;
  const { type, child, event, question, result } = value;
  if (type === 'result') return isRecord(result) && typeof result.child === 'string';
  if (typeof child !== 'string') return false;
  return type === 'progress' ? isEvent(event) : type === 'question' && isQuestion(question);
}

/** Whether a result from an engine has a status, a text and no error but a text. */
export function isEnding(value: unknown): value is Ending {
  const [status, text, error] = ['status', 'text', 'error'].map((key) => ownProperty(value, key));
  const isKnown = (STATUSES as readonly unknown[]).includes(status);
  return isKnown && typeof text === 'string' && ['string', 'undefined'].includes(typeof error);
}

function isQuestion(question: unknown): boolean {
  if (!isRecord(question)) return false;
  const { id, name, asker = '', reason = '', askKey = '' } = question;
  return [id, name, asker, reason, askKey].every((text) => typeof text === 'string');
}

/** Checks the fields that are counted or joined. All other fields are passed on unchecked. */
function isEvent(event: unknown): boolean {
  if (!isRecord(event)) return false;
  const { type, child, task, text, cost = 0 } = event;
  switch (type) {
    case 'subagent':
      return typeof child === 'string' && typeof task === 'string' && isEvent(event.event);
    case 'usage':
      return [...FIGURES.map((name) => event[name]), cost].every(isFiniteAmount);
    case 'text':
    case 'reasoning':
      return typeof text === 'string';
    default:
      return typeof type === 'string';
  }
}
