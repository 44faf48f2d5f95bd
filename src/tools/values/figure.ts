/** A number for people, rounded, in groups of three digits. */
export function figure(value: number): string {
  const whole = Math.round(value);
  if (!Number.isSafeInteger(whole)) return whole.toLocaleString('en-US');
  // The first use of `toLocaleString` loads tables of languages, which would delay the first request.
  return String(whole).replace(/\B(?=(?:\d{3})+$)/g, ',');
}

/** `1 turn`, `1,200 turns`. */
export function quantity(count: number, noun: string): string {
  return `${figure(count)} ${noun}${count === 1 ? '' : 's'}`;
}
