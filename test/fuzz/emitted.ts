import type { AgentEvent } from '../../packages/agent/src/index.ts';
import { ownProperty } from '../../packages/core/src/values/json.ts';
import { recordsOf } from '../../packages/testing/src/wire/recorded-request.ts';
import type { Kept } from './kept.ts';

/** Calls, results and text that the events of a turn emitted and did not withdraw with `discarded`. */
export function emittedIn(events: readonly AgentEvent[]): Kept {
  const calls = new Set<string>();
  const results: string[] = [];
  let text = '';
  for (const event of events) {
    if (event.type === 'text') text += event.text;
    if (event.type === 'call') calls.add(event.id);
    if (event.type === 'result') results.push(event.id);
    if (String(event.type) !== 'discarded') continue;
    const withdrawn = ownProperty(event, 'text');
    if (typeof withdrawn === 'string') text = withoutLast(text, withdrawn);
    for (const { id } of recordsOf(ownProperty(event, 'calls'))) calls.delete(String(id));
  }
  return { calls: [...calls], results, text };
}

function withoutLast(text: string, part: string): string {
  const at = text.lastIndexOf(part);
  return at < 0 ? text : text.slice(0, at) + text.slice(at + part.length);
}
