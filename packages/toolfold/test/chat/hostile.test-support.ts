/** Texts that would set the title, fill the clipboard, and colour or clear a screen, in 7 and in 8 bits. */
export const HOSTILE: string = [
  '\u001B]0;evil-title\u0007',
  '\u001B]2;evil-title\u001B\\',
  '\u001B]52;c;ZXZpbC1jbGlwYm9hcmQ=\u0007',
  '\u001B[35mevil-colour',
  '\u001B[2J\u001B[3J',
  '\u009B35mevil-eight\u009D0;evil-title\u009C',
  '\u001BPq\u001B\\\u001Bc',
  '\u202Eevil-direction',
].join(' ');

/** What would begin one of these sequences. */
const SEQUENCES = [
  ...['\u001B]0;', '\u001B]2;', '\u001B]52', '\u001B[35m', '\u001B[3J', '\u001Bc', '\u001BPq'],
  ...['\u009B', '\u009D', '\u202E'],
];

/** Sequences of such a text that stand in what was written to a terminal. */
export function hostileIn(bytes: string): readonly string[] {
  return SEQUENCES.filter((sequence) => bytes.includes(sequence));
}
