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
