/** What a turn has said, step by step. */
export class StepTexts {
  readonly #texts: { readonly step: object; text: string }[] = [];

  /** Adds what is said in a step; steps come in order. */
  add(step: object, text: string): void {
    const last = this.#texts.at(-1);
    if (last?.step === step) last.text += text;
    else this.#texts.push({ step, text });
  }

  /** Takes back what was said last in these words. */
  withdraw(said: string): void {
    const from = this.#texts.findLast(({ text }) => text.includes(said));
    if (!from) return;
    const at = from.text.lastIndexOf(said);
    from.text = from.text.slice(0, at) + from.text.slice(at + said.length);
  }

  /** All of it, with a blank line between the texts of different steps. */
  get joined(): string {
    return this.#texts.reduce((all, { text }) => all + gapBetween(all, text) + text, '');
  }
}

/** The line breaks that are missing for a blank line between two texts. */
export function gapBetween(before: string, after: string): string {
  if (before.trim() === '' || after.trim() === '') return '';
  const there = (/\n*$/.exec(before)?.[0].length ?? 0) + (/^\n*/.exec(after)?.[0].length ?? 0);
  return '\n'.repeat(Math.max(0, 2 - there));
}
