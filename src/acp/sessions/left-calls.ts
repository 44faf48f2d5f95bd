import type { ScreenTurn, ScreenView, UnknownCall } from '../../agent/index.ts';
import { INTERRUPTED_MESSAGE } from '../../agent/state/index.ts';

/** The calls of a session whose outcome nobody knows, without those of which the user has said what became of them. */
export class LeftCalls {
  readonly #view: () => Promise<ScreenView>;
  /** About how many calls with an id the user has decided. Endpoints may use one again. */
  readonly #decided = new Map<string, number>();

  /** `view`: what was said in the session so far. */
  constructor(view: () => Promise<ScreenView>) {
    this.#view = view;
  }

  /** By their ids. */
  async read(): Promise<ReadonlyMap<string, readonly UnknownCall[]>> {
    const byId = Map.groupBy(unknownIn((await this.#view()).turns), ({ id }) => id);
    const left = [...byId].map(([id, calls]) => [id, calls.slice(this.#decided.get(id))] as const);
    return new Map(left.filter(([, calls]) => calls.length > 0));
  }

  /** The user has decided about the calls of an id. */
  decide(id: string, { length }: readonly UnknownCall[]): void {
    this.#decided.set(id, (this.#decided.get(id) ?? 0) + length);
  }
}

/** Those of subagents included. */
function unknownIn(turns: readonly ScreenTurn[], subagent?: string): readonly UnknownCall[] {
  return turns.flatMap(({ blocks }) =>
    blocks.flatMap((block) => {
      if (block.kind !== 'call') return [];
      const { id, name, arguments: given, status, error, children } = block;
      const path = subagent === undefined ? '' : `${subagent}/`;
      const of = subagent === undefined ? {} : { subagent };
      const call = { id: `${path}${id}`, name, arguments: given, ...of };
      const below = children.flatMap(({ turns, child }) => unknownIn(turns, `${path}${child}`));
      // It has failed where the user was asked and said nothing.
      const isUnknown = status === 'unknown' || error === INTERRUPTED_MESSAGE;
      return isUnknown ? [call, ...below] : below;
    }),
  );
}
