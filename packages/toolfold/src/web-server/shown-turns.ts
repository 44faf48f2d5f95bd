import { thoughtsIn } from '@toolfold/agent/internal/entries';
import type { ScreenBlock, ScreenCall, ScreenTurn } from '@toolfold/agent/internal/events';
import { isTooDeep } from '@toolfold/core/internal/values';
import { PieceRedactor } from '@toolfold/mcp/internal/redact.ts';
import type { Keys } from '../models/index.ts';
import { type LargeValue, MAX_INLINE } from '../web-wire/index.ts';

/** Characters of a large value that are sent at once. */
const BEGINNING = 2_000;

/** The parts of a call that may be large. */
const LARGE = ['arguments', 'output'] as const;
type Large = (typeof LARGE)[number];

/** Turns as the page gets them: without secrets, and with large values by address. */
export class ShownTurns {
  readonly #keys: Pick<Keys, 'secrets' | 'redacted'>;
  #secrets: readonly string[] | undefined;
  /** What a turn or a block was made into. An unchanged one stays the same object, so that no patch is about it. */
  #known = new WeakMap<object, object>();

  constructor(keys: Pick<Keys, 'secrets' | 'redacted'>) {
    this.#keys = keys;
  }

  /** These turns. `isLive`: the last one may go on, so that the end of its text may be half of a secret. */
  of(turns: readonly ScreenTurn[], isLive: boolean): readonly ScreenTurn[] {
    const { secrets } = this.#keys;
    if (secrets !== this.#secrets) this.#known = new WeakMap();
    this.#secrets = secrets;
    return this.#turns(turns, isLive);
  }

  #turns(turns: readonly ScreenTurn[], isLive: boolean): readonly ScreenTurn[] {
    return turns.map((turn, at) =>
      isLive && at === turns.length - 1 && !turn.end
        ? this.#turn(turn, true)
        : this.#once(turn, () => this.#turn(turn, false)),
    );
  }

  #turn({ blocks, writing, ...rest }: ScreenTurn, isLive: boolean): ScreenTurn {
    const last = blocks.length - 1;
    const shown = blocks.map((block, at) => {
      const grows = isLive && (block.kind === 'call' ? block.children.length > 0 : at === last);
      return grows ? this.#block(block, true) : this.#once(block, () => this.#block(block, false));
    });
    const turn = this.#keys.redacted(rest);
    return {
      ...turn,
      blocks: shown.flat(),
      // Thoughts between tags are blocks of their own, so that places move.
      notices: turn.notices.map((notice) => ({
        ...notice,
        place: shown.slice(0, notice.place).flat().length,
      })),
      ...(writing && {
        writing: writing.map((draft) => ({ ...draft, text: this.#piece(draft.text) })),
      }),
    };
  }

  #block(block: ScreenBlock, isLive: boolean): readonly ScreenBlock[] {
    return block.kind === 'call' ? [this.#call(block, isLive)] : this.#text(block, isLive);
  }

  /** A text, behind its thoughts where the model writes them between tags. */
  #text(
    block: Extract<ScreenBlock, { kind: 'text' | 'reasoning' }>,
    isLive: boolean,
  ): ScreenBlock[] {
    const text = isLive ? this.#piece(block.text) : this.#keys.redacted(block.text);
    if (block.kind === 'reasoning') return [{ ...block, text }];
    const { reasoning, text: said } = thoughtsIn(text, isLive);
    return [
      ...(reasoning === '' ? [] : [{ ...block, kind: 'reasoning' as const, text: reasoning }]),
      ...(said === '' && reasoning !== '' ? [] : [{ ...block, text: said }]),
    ];
  }

  #call({ children, ...call }: ScreenCall, isLive: boolean): ScreenCall {
    const shown: Record<string, unknown> = {};
    const { arguments: given, output, ...rest } = call;
    for (const [name, value] of Object.entries({ arguments: given, output }))
      if (value !== undefined) shown[name] = this.#value(value, addressOf(call.id, name as Large));
    const below = children.map((child) => ({
      ...this.#keys.redacted({ ...child, turns: [] }),
      turns: this.#turns(child.turns, isLive),
    }));
    return { ...(this.#keys.redacted(rest) as typeof rest), ...shown, children: below };
  }

  #value(value: unknown, address: string): unknown {
    if (isTooDeep(value)) return '(nested too deeply to be shown)';
    const shown = this.#keys.redacted(value);
    const text = textOf(shown);
    if (text.length <= MAX_INLINE) return shown;
    const beginning = text.slice(0, BEGINNING).toWellFormed();
    return { large: { address, characters: text.length, beginning } } satisfies LargeValue;
  }

  /** What of a text that grows is known to be no secret. */
  #piece(text: string): string {
    return new PieceRedactor(() => this.#keys.secrets).take(text);
  }

  #once<T extends object>(source: object, make: () => T): T {
    const known = this.#known.get(source) ?? make();
    this.#known.set(source, known);
    return known as T;
  }
}

/** The text of a large value, without secrets. Undefined if there is none at this address. */
export function valueAt(
  turns: readonly ScreenTurn[],
  address: string,
  keys: Pick<Keys, 'redacted'>,
): string | undefined {
  for (const call of callsIn(turns))
    for (const name of LARGE)
      if (addressOf(call.id, name) === address && !isTooDeep(call[name]))
        return textOf(keys.redacted(call[name]));
  return;
}

/** All calls, those of subagents included. */
function* callsIn(turns: readonly ScreenTurn[]): Iterable<ScreenCall> {
  for (const { blocks } of turns)
    for (const block of blocks) {
      if (block.kind !== 'call') continue;
      yield block;
      for (const child of block.children) yield* callsIn(child.turns);
    }
}

function addressOf(call: string, name: Large): string {
  return `${name}/${call}`;
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value, undefined, 2) ?? '');
}
