/** A number for people, rounded, in groups of three digits. */
export function formatNumber(value: number): string {
  // Not by `toLocaleString`: its first use loads tables of languages, which delays the first request.
  return `${Math.round(value)}`.replace(/\B(?=(\d{3})+$)/g, ',');
}

/** `1 turn`, `1,200 turns`. */
export function formatCount(count: number, noun: string): string {
  return `${formatNumber(count)} ${noun}${count === 1 ? '' : 's'}`;
}
