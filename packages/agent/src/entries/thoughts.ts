/** `mark`: what stands before it was thought as well. Some servers leave the first tag out. */
type ThoughtPart = { readonly kind: 'reasoning' | 'text' | 'mark'; readonly text: string };

type State = 'begin' | 'thought' | 'gap' | 'answer' | 'unmarked';

const MARK: ThoughtPart = { kind: 'mark', text: '' };
const OPEN = /^\s*<think(?:ing)?>/;
const CLOSE = /<\/think(?:ing)?>/;
/** What may become a tag with the next piece. */
const TAG_BEGINS = /<[/a-z]{0,10}$/;
/** A second tag without a first one counts on a line of its own only. */
const MARK_LINE = /^[ \t]*<\/think(?:ing)?>[ \t]*\n$/;
const MARK_LINE_BEGINS = /^[ \t]*(?:<[/a-z]{0,10}>?[ \t]*)?$/;

/**
 * Reads the thoughts that a model writes between tags in front of its answer. The text comes in pieces. The
 * SDK's `extractReasoningMiddleware` takes a tag in the middle of an answer for a thought, and changes the
 * words that the next request sends.
 */
export class ThoughtReader {
  #state: State = 'begin';
  #held = '';
  #isLineBegin = true;

  /** Whether no answer has begun. Then a tag may have begun that is not complete. */
  get isThinking(): boolean {
    return this.#state === 'begin' || this.#state === 'thought';
  }

  /** The parts that are known with this piece. */
  take(piece: string): readonly ThoughtPart[] {
    this.#held += piece;
    switch (this.#state) {
      case 'begin': {
        const open = OPEN.exec(this.#held);
        if (open) return this.#go('thought', open[0].length);
        return '<thinking>'.startsWith(this.#held.trimStart()) ? [] : this.#go('unmarked', 0);
      }
      case 'thought': {
        const close = CLOSE.exec(this.#held);
        const end = close ?? TAG_BEGINS.exec(this.#held);
        const part = this.#give('reasoning', end?.index ?? this.#held.length);
        return close ? [...part, ...this.#go('gap', close[0].length)] : part;
      }
      case 'gap':
        this.#held = this.#held.trimStart();
        return this.#held === '' ? [] : this.#go('answer', 0);
      case 'answer':
        return this.#give('text', this.#held.length);
      case 'unmarked':
        return this.#lines();
    }
  }

  /** The text has ended: the rest of it. The next piece begins another text. */
  end(): readonly ThoughtPart[] {
    const isMark = this.#state === 'unmarked' && MARK_LINE.test(`${this.#held}\n`);
    const kind = this.#state === 'thought' ? 'reasoning' : 'text';
    const rest = isMark ? [MARK] : this.#give(kind, this.#held.length);
    [this.#state, this.#held, this.#isLineBegin] = ['begin', '', true];
    return rest;
  }

  /** Lines without a first tag before them. One that may be the second tag is held. */
  #lines(): readonly ThoughtPart[] {
    let length = 0;
    for (const line of this.#held.split(/(?<=\n)/)) {
      const isMark = this.#isLineBegin && MARK_LINE.test(line);
      if (isMark) return [...this.#give('text', length), MARK, ...this.#go('gap', line.length)];
      if (this.#isLineBegin && MARK_LINE_BEGINS.test(line)) break;
      length += line.length;
      this.#isLineBegin = line.endsWith('\n');
    }
    return this.#give('text', length);
  }

  #go(state: State, length: number): readonly ThoughtPart[] {
    this.#held = this.#held.slice(length);
    this.#state = state;
    return this.take('');
  }

  #give(kind: ThoughtPart['kind'], length: number): readonly ThoughtPart[] {
    const text = this.#held.slice(0, length);
    this.#held = this.#held.slice(length);
    return text === '' ? [] : [{ kind, text }];
  }
}

/** The thoughts and the answer of a whole text. `mayGrow`: the beginning of a tag at its end is left out. */
export function thoughtsIn(
  whole: string,
  mayGrow = false,
): Readonly<Record<'reasoning' | 'text', string>> {
  const reader = new ThoughtReader();
  let [reasoning, text] = ['', ''];
  const parts = reader.take(whole);
  const rest = mayGrow && reader.isThinking ? [] : reader.end();
  for (const part of [...parts, ...rest]) {
    if (part.kind === 'reasoning') reasoning += part.text;
    else if (part.kind === 'text') text += part.text;
    else [reasoning, text] = [text, ''];
  }
  return { reasoning, text };
}
