import type { ModelMessage } from 'ai';
import type { Entry } from '../../sessions/index.ts';
import { digestIn, shownOutput, ToolResults, textOfOutput } from '../compaction/index.ts';
import { type Kinds, type ResultPart, type RunOutcome, restored } from '../entries/index.ts';
import { outputOf } from '../state/index.ts';

type Output = ResultPart['output'];

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
  /** The results in order. */
  readonly #all: readonly RecordedResult[];

  constructor(entries: readonly Entry[]) {
    const results = new ToolResults();
    /** Outputs are restored only where they are shown, because some are large. */
    const recorded = (id: string, name: string, output: () => Output): RecordedResult => {
      const isMcp = results.isMcp(id);
      let text: string | undefined;
      return { id, name, text: () => (text ??= textOfOutput(shownOutput(output(), isMcp))) };
    };
    const given = ({ toolCallId, toolName, output }: ResultPart) =>
      // A digest stands for a result that is recorded before it.
      digestIn(output) ? [] : [recorded(toolCallId, toolName, () => restored(output) as Output)];
    this.#all = entries.flatMap((entry) => {
      if (entry.kind !== 'result')
        return messagesOf(entry).flatMap((message) => results.in(message).flatMap(given));
      const { id, name, isBridge, ...outcome } = entry.body as unknown as Kinds['result'];
      const output = () => outputOf(restored(outcome) as RunOutcome, false);
      return isBridge ? [] : [recorded(id, name, output)];
    });
  }

  /** The result that an id of a digest names. A plain id of a call names the latest result with it. */
  find(id: string): RecordedResult | undefined {
    const [, call, number] = NUMBERED.exec(id) ?? [];
    const named = this.#all.filter((one) => one.id === call)[Number(number) - 1];
    return named ?? this.#all.findLast((one) => one.id === id);
  }

  /** The id by which a digest names a result: that of the call, and which result with this id and text it is. */
  idOf(call: string, text: string): string {
    const results = this.#all.filter(({ id }) => id === call);
    const index = results.findLastIndex((one) => one.text() === text);
    return index < 0 ? call : `${call}#${index + 1}`;
  }

  /** The calls with the newest results, the newest first. */
  newest(count: number): readonly Pick<RecordedResult, 'id' | 'name'>[] {
    const known = new Map<string, Pick<RecordedResult, 'id' | 'name'>>();
    for (const { id, name } of this.#all.toReversed())
      if (known.size < count && !known.has(id)) known.set(id, { id, name });
    return [...known.values()];
  }
}

/** Messages in an entry. Those of a compaction are left out: their results stand in entries before. */
function messagesOf({ kind, body }: Entry): readonly ModelMessage[] {
  if (kind === 'messages') return (body as unknown as Kinds['messages']).add;
  if (kind !== 'model') return [];
  return [{ role: 'assistant', content: (body as unknown as Kinds['model']).content }];
}
