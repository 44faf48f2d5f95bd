import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import { canonicalJson } from './json.ts';

/** SHA-256 of a text as lower-case hex, cut to `digits`. */
export function hashText(text: string, digits: number): string {
  return bytesToHex(sha256(utf8ToBytes(text))).slice(0, digits);
}

/** A fingerprint over the canonical form: 16 hex digits, equal for values equal as JSON. */
export function fingerprint(value: unknown): string {
  return hashText(canonicalJson(value), 16);
}
