import { parsedJson } from '@toolfold/core/internal/tools/values';

/** A part of an envelope that has become known while the envelope streams. */
export type PeelEvent =
  | { readonly type: 'name'; readonly name: string }
  | { readonly type: 'arguments'; readonly text: string };

type Step = 'open' | 'key' | 'colon' | 'name' | 'comma' | 'value' | 'object' | 'done' | 'opaque';

/**
 * Reads `{"tool_name": "…", "arguments": {…}}` from deltas of any length. It emits the name when the
 * name is complete, then the text of the arguments object as it arrives. For any other order or form
 * it emits no more events: the caller parses the whole text at the end.
 */
export class EnvelopePeeler {
  readonly #nameKey: string;
  #step: Step = 'open';
  #text = '';
  #named = false;
  #depth = 0;
  #inString = false;
  #escaped = false;

  constructor(nameKey: string) {
    this.#nameKey = nameKey;
  }

  push(delta: string): PeelEvent[] {
    const events: PeelEvent[] = [];
    let from = 0;
    for (let at = 0; at < delta.length; at++) {
      if (this.#step === 'done' || this.#step === 'opaque') break;
      if (this.#step === 'object') {
        if (this.#depth === 0) from = at;
        if (!this.#closes(delta.charAt(at))) continue;
        events.push({ type: 'arguments', text: delta.slice(from, at + 1) });
        this.#step = 'done';
        return events;
      }
      const name = this.#read(delta.charAt(at));
      if (name !== undefined) events.push({ type: 'name', name });
      // The opening brace is part of the arguments: read it again.
      if (this.#inObject()) at--;
    }
    if (this.#inObject() && this.#depth > 0) {
      events.push({ type: 'arguments', text: delta.slice(from) });
    }
    return events;
  }

  #inObject(): boolean {
    return this.#step === 'object';
  }

  /** Reads one character before the arguments. Returns the name of the tool when it is complete. */
  #read(char: string): string | undefined {
    const quoting = this.#step === 'key' || this.#step === 'name';
    if (this.#text === '' && /\s/.test(char)) return;
    if (quoting) return this.#readString(char);
    const next: Partial<Record<Step, [string, Step]>> = {
      open: ['{', 'key'],
      colon: [':', this.#named ? 'value' : 'name'],
      comma: [',', 'key'],
      value: ['{', 'object'],
    };
    const [expected, step] = next[this.#step] ?? ['', 'opaque' as const];
    this.#step = char === expected ? step : 'opaque';
    return;
  }

  #readString(char: string): string | undefined {
    if (this.#text === '' && char !== '"') {
      this.#step = 'opaque';
      return;
    }
    this.#text += char;
    if (this.#escaped) {
      this.#escaped = false;
      return;
    }
    this.#escaped = char === '\\';
    if (this.#text.length === 1 || char !== '"') return;
    const read = parsedJson(this.#text);
    const value = typeof read === 'string' ? read : undefined;
    this.#text = '';
    if (this.#step === 'name') {
      this.#named = true;
      this.#step = value === undefined || value.trim() === '' ? 'opaque' : 'comma';
      return this.#step === 'comma' ? value?.trim() : undefined;
    }
    const expected = this.#named ? 'arguments' : this.#nameKey;
    this.#step = value === expected ? 'colon' : 'opaque';
    return;
  }

  /** Counts brackets outside strings. Returns true at the bracket that closes the object. */
  #closes(char: string): boolean {
    if (this.#inString) {
      if (this.#escaped) this.#escaped = false;
      else if (char === '\\') this.#escaped = true;
      else if (char === '"') this.#inString = false;
      return false;
    }
    if (char === '"') this.#inString = true;
    else if (char === '{' || char === '[') this.#depth++;
    else if (char === '}' || char === ']') this.#depth--;
    return this.#depth === 0;
  }
}
