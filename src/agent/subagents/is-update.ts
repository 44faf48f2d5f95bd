import { isAmount, isRecord } from '../../tools/values/index.ts';
import type { EngineUpdate } from './engine/index.ts';

const FIGURES = ['input', 'cacheRead', 'cacheWrite', 'output'] as const;

/**
 * Whether what an engine has told, which may have come from anywhere, is an update. Of a result only
 * whose it is: one that is out of form is that child's end for all that.
 */
export function isUpdate(told: unknown): told is EngineUpdate {
  if (!isRecord(told)) return false;
  const { type, child, event, question, result } = told;
  if (type === 'result') return isRecord(result) && typeof result.child === 'string';
  if (typeof child !== 'string') return false;
  return type === 'progress' ? isEvent(event) : type === 'question' && isQuestion(question);
}

function isQuestion(question: unknown): boolean {
  if (!isRecord(question)) return false;
  const { id, name, asker = '', reason = '' } = question;
  return [id, name, asker, reason].every((text) => typeof text === 'string');
}

/** What is counted and joined is looked at, all else is passed on as it came. */
function isEvent(event: unknown): boolean {
  if (!isRecord(event)) return false;
  const { type, child, task, text, cost = 0 } = event;
  switch (type) {
    case 'subagent':
      return typeof child === 'string' && typeof task === 'string' && isEvent(event.event);
    case 'usage':
      return [...FIGURES.map((name) => event[name]), cost].every(isAmount);
    case 'text':
    case 'reasoning':
      return typeof text === 'string';
    default:
      return typeof type === 'string';
  }
}
