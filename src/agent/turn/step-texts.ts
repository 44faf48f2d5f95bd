/** The texts of a turn, step by step. */
export class StepTexts {
  readonly #texts: { readonly step: object; text: string }[] = [];

  /** Adds text of a step. Steps come in order. */
  add(step: object, text: string): void {
    const last = this.#texts.at(-1);
    if (last?.step === step) last.text += text;
    else this.#texts.push({ step, text });
  }

  /** Removes a text that stands `kept` characters before the end, else its last occurrence. */
  withdraw(removed: string, kept = 0): void {
    const from = this.#texts.findLast(({ text }) => text.includes(removed));
    if (!from) return;
    const place = from.text.length - kept - removed.length;
    const isThere = place >= 0 && from.text.startsWith(removed, place);
    const at = isThere ? place : from.text.lastIndexOf(removed);
    from.text = from.text.slice(0, at) + from.text.slice(at + removed.length);
  }

  /** All texts, with a blank line between different steps. */
  get joined(): string {
    return this.#texts.reduce((all, { text }) => all + gapBetween(all, text) + text, '');
  }
}

/** The line breaks to insert for a blank line between two texts. */
export function gapBetween(before: string, after: string): string {
  if (before.trim() === '' || after.trim() === '') return '';
  const present = (/\n*$/.exec(before)?.[0].length ?? 0) + (/^\n*/.exec(after)?.[0].length ?? 0);
  return '\n'.repeat(Math.max(0, 2 - present));
}
