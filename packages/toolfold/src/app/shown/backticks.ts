/** Backticks around a text in Markdown: at least so many, and more than stand side by side in it. */
export function backticks(text: string, least: number): string {
  const runs = text.match(/`+/g) ?? [];
  return '`'.repeat(runs.reduce((most, run) => Math.max(most, run.length + 1), least));
}
