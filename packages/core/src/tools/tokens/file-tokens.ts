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
