const UNITS = [
  [86_400_000, 'd'],
  [3_600_000, 'h'],
  [60_000, 'min'],
] as const;

/** How long ago something was, in its largest unit: `3 h ago`. Below a minute: `now`. */
export function age(milliseconds: number): string {
  for (const [length, unit] of UNITS) {
    if (milliseconds >= length) return `${Math.floor(milliseconds / length)} ${unit} ago`;
  }
  return 'now';
}
