import { ToolfoldError } from '../../../errors.ts';
import { checksum } from '../../values/index.ts';

/**
 * The bytes of a stored index, numbers in little-endian order: the letters `TFSI`; the version, the
 * count of sections and a checksum of all bytes after the header, 32 bits each; the length of each
 * section; the sections, each filled up to a multiple of 4.
 */
const MAGIC = 0x49534654;
const VERSION = 5;
const HEADER = 16;

/** Writes sections one behind the other. */
export function packSections(sections: readonly Uint8Array[]): Uint8Array {
  const starts = HEADER + 4 * sections.length;
  const size = sections.reduce((sum, { length }) => sum + padded(length), starts);
  const bytes = new Uint8Array(size);
  const view = new DataView(bytes.buffer);
  let at = starts;
  for (const [i, section] of sections.entries()) {
    view.setUint32(HEADER + 4 * i, section.length, true);
    bytes.set(section, at);
    at += padded(section.length);
  }
  for (const [i, value] of [MAGIC, VERSION, sections.length, checksum(bytes, HEADER)].entries())
    view.setUint32(4 * i, value, true);
  return bytes;
}

/** Reads sections. Throws `invalid-option` if the bytes are not complete or of another version. */
export function unpackSections(bytes: Uint8Array, count: number): readonly Uint8Array[] {
  const starts = HEADER + 4 * count;
  if (bytes.length < starts) throw notAnIndex('its sections are not complete');
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const numberAt = (i: number) => view.getUint32(4 * i, true);
  if (numberAt(0) !== MAGIC || numberAt(1) !== VERSION)
    throw notAnIndex(`its version is not ${VERSION}`);
  if (numberAt(2) !== count) throw notAnIndex('its sections are not complete');
  if (numberAt(3) !== checksum(bytes, HEADER)) throw notAnIndex('its checksum is wrong');
  let at = starts;
  return Array.from({ length: count }, (_, i) => {
    const length = view.getUint32(HEADER + 4 * i, true);
    const section = bytes.slice(at, at + length);
    at += padded(length);
    return section;
  });
}

/** The error for bytes that cannot be used. */
export function notAnIndex(reason: string): ToolfoldError {
  return new ToolfoldError(
    'invalid-option',
    `The stored index cannot be used: ${reason}.`,
    'Leave `stored` out.',
  );
}

function padded(length: number): number {
  return (length + 3) & ~3;
}
