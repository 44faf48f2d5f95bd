import type { Reply } from '@toolfold/testing/internal/doubles/model-server.ts';
import type { RecordedRequest } from '@toolfold/testing/internal/wire/recorded-request.ts';
import { dialectOf, type StrategyOfMatrix } from './matrix-plan.test-support.ts';

/** The subagents. Each one reads, and then sends a letter. */
export const NAMES = ['a', 'b', 'c'] as const;

/** A model that starts three subagents and then changes something itself. It depends only on what it is sent. */
export function modelOfTeam(strategy: StrategyOfMatrix): (request: RecordedRequest) => Reply {
  const { call } = dialectOf(strategy);
  return ({ raw }) => {
    const child = /# Your task/.test(raw)
      ? NAMES.findIndex((name) => raw.includes(`Work of ${name}.`))
      : -1;
    if (child < 0) return parent(raw, call);
    const has = (text: string) => raw.includes(text);
    const text = `${NAMES[child]} has worked.`;
    if (has('Second.')) return { text };
    const [name, words] = has('First.') ? ['mail__send', 'Second.'] : ['notes__read', 'First.'];
    const n = child * 2 + (words === 'First.' ? 1 : 2);
    return { text: words, calls: [{ ...call(name, { n }), id: `call_${n}` }] };
  };
}

function parent(raw: string, call: ReturnType<typeof dialectOf>['call']): Reply {
  if (raw.includes('And last.')) return { text: 'All done.' };
  if (raw.includes('has worked'))
    return { text: 'And last.', calls: [{ ...call('mail__add', { n: 7 }), id: 'call_7' }] };
  const tasks = NAMES.map((id) => ({ id, task: `Work of ${id}.` }));
  return { calls: [{ name: 'subagents', arguments: { tasks }, id: 'call_8' }] };
}
