import type { ModelMessage } from 'ai';
import { readStamp } from '../../host/index.ts';
import type { Entry } from '../../sessions/index.ts';
import { digestIn, type Output, shownOutput, textOfOutput } from '../compaction/index.ts';
import { type Kinds, type RunOutcome, restored } from '../entries/index.ts';
import { outputOf, partsOf } from '../state/index.ts';

/** The result of a call. */
export interface RecordedResult {
  readonly id: string;
  readonly name: string;
  /** Its text, as the model has read it. */
  readonly text: () => string;
}

/** The id of a call, and which of the results with this id is meant, from 1. */
const NUMBERED = /^(.*)#(\d+)$/s;

/** The results of tools in the entries of a session. Some endpoints use an id of a call again in each answer. */
export class RecordedResults {
  readonly #entries: () => readonly Entry[];
  readonly #found: RecordedResult[] = [];
  /** The ids of the latest calls whose results are in the format of MCP. The stamps of the calls say so. */
  readonly #mcp = new Set<string>();
  #read = 0;

  constructor(entries: () => readonly Entry[]) {
    this.#entries = entries;
  }

  /** The result that an id of a digest names. A plain id of a call names the latest result with it. */
  find(id: string): RecordedResult | undefined {
    const all = this.#all();
    const [, call, number] = NUMBERED.exec(id) ?? [];
    const named = all.filter((one) => one.id === call)[Number(number) - 1];
    return named ?? all.findLast((one) => one.id === id);
  }

  /** The id by which a digest names a result: that of the call, and which result with this id and text it is. */
  idOf(call: string, text: string): string {
    const results = this.#all().filter(({ id }) => id === call);
    const index = results.findLastIndex((one) => one.text() === text);
    return index < 0 ? call : `${call}#${index + 1}`;
  }

  /** The calls with the newest results, the newest first. */
  newest(count: number): readonly Pick<RecordedResult, 'id' | 'name'>[] {
    const known = new Map<string, Pick<RecordedResult, 'id' | 'name'>>();
    for (const { id, name } of this.#all().toReversed())
      if (known.size < count && !known.has(id)) known.set(id, { id, name });
    return [...known.values()];
  }

  /** The results in order. Entries are only added, so each one is read once. */
  #all(): readonly RecordedResult[] {
    const entries = this.#entries();
    for (; this.#read < entries.length; this.#read++) {
      const entry = entries[this.#read];
      if (entry?.kind === 'result') this.#takeRun(entry.body as unknown as Kinds['result']);
      else if (entry) for (const message of messagesOf(entry)) this.#takeMessage(message);
    }
    return this.#found;
  }

  #takeRun({ id, name, isBridge, ...outcome }: Kinds['result']): void {
    if (!isBridge) this.#add(id, name, () => outputOf(restored(outcome) as RunOutcome, false));
  }

  #takeMessage(message: ModelMessage): void {
    for (const part of partsOf([message])) {
      if (part.type === 'tool-call') {
        if (readStamp(part.providerOptions)?.f === 'mcp') this.#mcp.add(part.toolCallId);
        else this.#mcp.delete(part.toolCallId);
      }
      // A digest stands for a result that is recorded before it.
      if (message.role === 'tool' && part.type === 'tool-result' && !digestIn(part.output))
        this.#add(part.toolCallId, part.toolName, () => restored(part.output) as Output);
    }
  }

  /** Bodies are restored only where they are shown, because some are large. */
  #add(id: string, name: string, output: () => Output): void {
    const isMcp = this.#mcp.has(id);
    let text: string | undefined;
    this.#found.push({
      ...{ id, name },
      text: () => (text ??= textOfOutput(shownOutput(output(), isMcp))),
    });
  }
}

/** Messages in an entry. Those of a compaction are left out: their results stand in entries before. */
function messagesOf({ kind, body }: Entry): readonly ModelMessage[] {
  if (kind === 'messages') return (body as unknown as Kinds['messages']).add;
  if (kind !== 'model') return [];
  return [{ role: 'assistant', content: (body as unknown as Kinds['model']).content }];
}
