import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import { canonicalJson } from '../values/index.ts';

/** SHA-256 of a text as lower-case hex, cut to `digits`. */
export function hashText(text: string, digits: number): string {
  return bytesToHex(sha256(bytesOf(text))).slice(0, digits);
}

/**
 * UTF-8. Half of a surrogate pair, which UTF-8 cannot express, becomes its own number, so that
 * all texts differ.
 */
function bytesOf(text: string): Uint8Array {
  if (text.isWellFormed()) return utf8ToBytes(text);
  return Uint8Array.from(
    Array.from(text).flatMap((point) => {
      if (point.isWellFormed()) return [...utf8ToBytes(point)];
      const unit = point.charCodeAt(0);
      return [0xe0 | (unit >> 12), 0x80 | ((unit >> 6) & 0x3f), 0x80 | (unit & 0x3f)];
    }),
  );
}

/** A fingerprint over the canonical form: 16 hex digits, equal for values equal as JSON. */
export function fingerprint(value: unknown): string {
  return hashText(canonicalJson(value), 16);
}
