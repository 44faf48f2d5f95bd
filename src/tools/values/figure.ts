/** A number for people, rounded, in groups of three digits. */
export function figure(value: number): string {
  return Math.round(value).toLocaleString('en-US');
}

/** `1 turn`, `1,200 turns`. */
export function quantity(count: number, noun: string): string {
  return `${figure(count)} ${noun}${count === 1 ? '' : 's'}`;
}
