import type { ModelMessage } from 'ai';
import { plainOutput } from '../../ai-sdk/results/index.ts';
import { readStamp } from '../../host/index.ts';
import type { Entry } from '../../sessions/index.ts';
import { type Output, shownOutput, textOfOutput } from '../compaction/index.ts';
import { type Kinds, restored } from '../entries/index.ts';

/** A result as text, as the model has read it. */
export interface RecordedResult {
  readonly name: string;
  readonly text: string;
}

/** A call that has a result. */
export interface KnownResult {
  readonly id: string;
  readonly name: string;
}

/** The results of tools in the entries of a session. */
export class RecordedResults {
  readonly #entries: () => readonly Entry[];

  constructor(entries: () => readonly Entry[]) {
    this.#entries = entries;
  }

  /** The latest result of a call with this id. */
  find(id: string): RecordedResult | undefined {
    for (const entry of [...this.#entries()].reverse()) {
      const found = resultsOf(entry).findLast((result) => result.id === id);
      if (!found) continue;
      const output = shownOutput(found.output(), this.#isMcp(id));
      return { name: found.name, text: textOfOutput(output) };
    }
    return;
  }

  /** The calls with the newest results, the newest first. */
  newest(count: number): KnownResult[] {
    const known = new Map<string, KnownResult>();
    for (const entry of [...this.#entries()].reverse()) {
      for (const { id, name } of resultsOf(entry).reverse())
        if (!known.has(id)) known.set(id, { id, name });
      if (known.size >= count) break;
    }
    return [...known.values()].slice(0, count);
  }

  /** Whether the result of the call is in the format of MCP. The call's stamp says so. */
  #isMcp(id: string): boolean {
    for (const entry of [...this.#entries()].reverse()) {
      for (const { role, content } of messagesOf(entry).reverse()) {
        if (role !== 'assistant' || typeof content === 'string') continue;
        for (const part of content)
          if (part.type === 'tool-call' && part.toolCallId === id)
            return readStamp(part.providerOptions)?.f === 'mcp';
      }
    }
    return false;
  }
}

interface Found extends KnownResult {
  readonly output: () => Output;
}

/**
 * The results that an entry holds: that of a run, or those in messages that the agent was given. Bodies
 * are restored only where they are shown, because some are large.
 */
function resultsOf(entry: Entry): Found[] {
  if (entry.kind === 'result') {
    const { id, name, isBridge, ...outcome } = entry.body as unknown as Kinds['result'];
    return isBridge ? [] : [{ id, name, output: () => outputOf(restored(outcome) as RunOutcome) }];
  }
  return messagesOf(entry).flatMap(({ role, content }) => {
    if (role !== 'tool') return [];
    return content.flatMap((part): Found[] => {
      if (part.type !== 'tool-result') return [];
      const { toolCallId: id, toolName: name, output } = part;
      return [{ id, name, output: () => restored(output) as Output }];
    });
  });
}

type RunOutcome = Omit<Kinds['result'], 'id' | 'name'>;

function outputOf({ output, error, thrown }: RunOutcome): Output {
  if (error === undefined && thrown === undefined) return plainOutput(output) as Output;
  return { type: 'error-text', value: thrown ?? error ?? '' };
}

/** Messages in an entry. Those of a compaction are left out: their results may be digests. */
function messagesOf({ kind, body }: Entry): ModelMessage[] {
  if (kind === 'messages') return [...(body as unknown as Kinds['messages']).add];
  if (kind !== 'model') return [];
  return [{ role: 'assistant', content: (body as unknown as Kinds['model']).content }];
}
