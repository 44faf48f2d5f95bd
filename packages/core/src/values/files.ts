import { formatNumber } from './text.ts';

/**
 * Most bytes of one file: 5,000,000 characters of base64. Anthropic takes 5 MB of an image and counts the base64: "image exceeds 5 MB maximum:
 * 15908784 bytes > 5242880 bytes" (github.com/anthropics/claude-code/issues/10612; platform.claude.com/docs/en/build-with-claude/vision).
 */
export const MAX_FILE = 3_750_000;

/** How files of the kinds begin that models see, in hexadecimal. */
const SIGNATURES: readonly (readonly [type: string, signature: RegExp])[] = [
  ['image/png', /^89504e470d0a1a0a/],
  ['image/jpeg', /^ffd8ff/],
  ['image/gif', /^474946383[79]61/],
  // RIFF, its length, WEBP.
  ['image/webp', /^52494646.{8}57454250/],
  // %PDF-
  ['application/pdf', /^255044462d/],
];

/** Bytes that say of which kind a file is. */
const HEAD = 12;

/** The kind of a file by its first bytes. Undefined if it is no image and no PDF. */
export function mediaTypeOf(bytes: Uint8Array): string | undefined {
  const digits = [...bytes.subarray(0, HEAD)].map((byte) => byte.toString(16).padStart(2, '0'));
  return SIGNATURES.find(([, signature]) => signature.test(digits.join('')))?.[0];
}

/** Whether the kind of such a file can be seen in its bytes. */
export function isKnownType(mediaType: string): boolean {
  return SIGNATURES.some(([type]) => type === mediaType);
}

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

/**
 * Tokens of an image of any size: Anthropic's figure for the largest that it does not scale down
 * (width × height / 750, https://platform.claude.com/docs/en/build-with-claude/vision). OpenAI's tiles
 * come to 1,445 at most (https://developers.openai.com/api/docs/guides/images-vision).
 */
const IMAGE = 1_600;

/**
 * Tokens of a page of a PDF: up to 3,000 of text, and an image of it
 * (https://platform.claude.com/docs/en/build-with-claude/pdf-support).
 */
const PAGE = 3_000 + IMAGE;

/** Characters of base64 of one page, in a PDF that does not show its pages. */
const PAGE_SIZE = 100_000;

const PAGES = /\/Type\s*\/Page\b/g;

/**
 * The tokens of a file in a request. No provider counts a file by its bytes, so these are stated figures.
 * `data`: its bytes or base64, if the request holds them.
 */
export function fileTokens(mediaType: string, data?: string | Uint8Array): number {
  if (mediaType !== 'application/pdf') return IMAGE;
  if (data === undefined) return PAGE;
  const shown = textOf(data).match(PAGES)?.length ?? 0;
  const size = typeof data === 'string' ? data.length : (data.length * 4) / 3;
  return PAGE * (shown || Math.max(1, Math.ceil(size / PAGE_SIZE)));
}

function textOf(data: string | Uint8Array): string {
  if (typeof data !== 'string') return new TextDecoder('latin1').decode(data);
  try {
    return atob(data);
  } catch {
    return '';
  }
}

/** The first bytes of a stream, up to a limit, and whether these are all of it. The rest is not read. */
export async function bytesUpTo(
  limit: number,
  chunks: AsyncIterable<Uint8Array | string>,
): Promise<{ readonly bytes: Uint8Array<ArrayBuffer>; readonly isWhole: boolean }> {
  const encoder = new TextEncoder();
  const kept: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of chunks) {
    const piece = typeof chunk === 'string' ? encoder.encode(chunk) : chunk;
    kept.push(piece.subarray(0, limit - size));
    size += piece.length;
    // Leaving the loop cancels the stream.
    if (size > limit) break;
  }
  const bytes = new Uint8Array(Math.min(size, limit));
  let at = 0;
  for (const piece of kept) {
    bytes.set(piece, at);
    at += piece.length;
  }
  return { bytes, isWhole: size <= limit };
}

/** FNV-1a, 32 bits, over the bytes from a position on. Finds damage, not forgery. */
export function checksum(bytes: Uint8Array, from: number): number {
  let hash = 0x811c9dc5;
  for (let at = from; at < bytes.length; at++)
    hash = Math.imul(hash ^ (bytes[at] ?? 0), 0x01000193);
  return hash >>> 0;
}
