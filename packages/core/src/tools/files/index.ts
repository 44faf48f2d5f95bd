export { bytesIn, fileLine, NOT_SHOWN } from './file-line.ts';
export { isKnownType, MAX_FILE, mediaTypeOf } from './media-type.ts';
