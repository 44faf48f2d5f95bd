import { ownProperty } from '@toolfold/core/internal/tools/values';
import { recordsOf } from '../request/index.ts';

/** Characters of base64, and pixels on a side, that the API takes of an image. */
const MAX_BASE64 = 5_242_880;
const MAX_SIDE = 8000;

/** How a PNG begins and ends, in hexadecimal: its signature with the header of its first chunk, and its last chunk. */
const BEGIN = /^89504e470d0a1a0a0000000d49484452(\w{8})(\w{8})/;
const END = /49454e44ae426082$/;

/**
 * Why the API would refuse an image; undefined if it would not. The words are those of anthropics/claude-code#10612 (size), #13480 (sides)
 * and #56016 (damaged files; they stay in the conversation, and each later request is refused too). Of the kinds of files, only PNG is read: one that breaks off, and its sides.
 */
export function imageRefusal(body: Readonly<Record<string, unknown>>): string | undefined {
  for (const [index, message] of recordsOf(body.messages).entries())
    for (const [place, block] of recordsOf(message.content).entries())
      for (const image of [block, ...recordsOf(block.content)]) {
        const problem = image.type === 'image' ? problemOf(image.source) : undefined;
        if (problem === undefined) continue;
        const at = `messages.${index}.content.${place}.image.source.base64`;
        return problem === DAMAGED ? problem : `${at}${problem}`;
      }
  return undefined;
}

const DAMAGED = 'Could not process image';

function problemOf(source: unknown): string | undefined {
  const data = ownProperty(source, 'data');
  if (ownProperty(source, 'type') !== 'base64' || typeof data !== 'string') return;
  if (data.length > MAX_BASE64)
    return `: image exceeds 5 MB maximum: ${data.length} bytes > ${MAX_BASE64} bytes`;
  if (ownProperty(source, 'media_type') !== 'image/png') return;
  const [header, width = '', height = ''] = BEGIN.exec(hexadecimal(data.slice(0, 40))) ?? [];
  // A stand-in of a test has no header. It is not read.
  if (header === undefined) return;
  const sides = [width, height].map((side) => Number.parseInt(side, 16));
  if (sides.includes(0) || !END.test(hexadecimal(data.slice(-16)))) return DAMAGED;
  if (sides.some((side) => side > MAX_SIDE))
    return `.data: At least one of the image dimensions exceed max allowed size: ${MAX_SIDE} pixels`;
  return;
}

function hexadecimal(base64: string): string {
  return Buffer.from(base64, 'base64').toString('hex');
}
