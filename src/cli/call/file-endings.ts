/** The endings of files, by media type. */
const ENDINGS: ReadonlyMap<string, string> = new Map([
  ['image/png', 'png'],
  ['image/jpeg', 'jpg'],
  ['image/jpg', 'jpg'],
  ['image/gif', 'gif'],
  ['image/webp', 'webp'],
  ['image/avif', 'avif'],
  ['image/bmp', 'bmp'],
  ['image/tiff', 'tiff'],
  ['image/svg+xml', 'svg'],
  ['audio/wav', 'wav'],
  ['audio/x-wav', 'wav'],
  ['audio/wave', 'wav'],
  ['audio/mpeg', 'mp3'],
  ['audio/mp3', 'mp3'],
  ['audio/mp4', 'm4a'],
  ['audio/ogg', 'ogg'],
  ['audio/webm', 'weba'],
  ['audio/flac', 'flac'],
  ['audio/aac', 'aac'],
  ['video/mp4', 'mp4'],
  ['video/webm', 'webm'],
  ['application/pdf', 'pdf'],
  ['application/json', 'json'],
  ['application/zip', 'zip'],
  ['application/gzip', 'gz'],
  ['application/xml', 'xml'],
  ['text/plain', 'txt'],
  ['text/html', 'html'],
  ['text/csv', 'csv'],
  ['text/markdown', 'md'],
  ['text/xml', 'xml'],
]);

/** The ending for a media type, without its parameters; `bin` for others. */
export function endingOf(mediaType: string | undefined): string {
  const [essence = ''] = (mediaType ?? '').split(';', 1);
  return ENDINGS.get(essence.trim().toLowerCase()) ?? 'bin';
}
