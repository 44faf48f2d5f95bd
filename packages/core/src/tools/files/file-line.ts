import { formatNumber } from '../values/index.ts';

/** Where the model finds a file that its line stands for. */
export const NOT_SHOWN = 'it cannot be shown to you';

/** The line in the place of a file: what it is, its size, and where it is shown or its name. `data`: base64, or bytes. */
export function fileLine(
  kind: string,
  data: string | Uint8Array,
  where: string = NOT_SHOWN,
): string {
  const named = kind.replace(/[^\w/+. -]/g, '').trim();
  const rest = where === '' ? '' : `: ${where}`;
  return `[${named.slice(0, 100)}, ${formatNumber(bytesIn(data))} bytes${rest}]`;
}

/** The bytes of a file. `data`: base64, or bytes. */
export function bytesIn(data: string | Uint8Array): number {
  if (typeof data !== 'string') return data.byteLength;
  return Math.floor((data.replace(/=+$/, '').length * 3) / 4);
}
