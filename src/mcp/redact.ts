/** Shorter texts are no secrets, and taking them out would make messages unreadable. */
const MIN_SECRET = 6;

/** The texts to hide for some values: each whole, each word of it, and as it stands in a URL. */
export function secretTexts(values: Iterable<string>): string[] {
  const texts = new Set<string>();
  for (const value of values) {
    for (const part of [value, ...value.split(/\s+/)]) {
      if (part.trim().length < MIN_SECRET) continue;
      texts.add(part);
      texts.add(encodeURIComponent(part));
    }
  }
  // Longest first, so that a secret containing another one goes whole.
  return [...texts].sort((a, b) => b.length - a.length);
}

/** The text with every secret replaced. */
export function redact(text: string, secrets: readonly string[]): string {
  let result = text;
  for (const secret of secrets) result = result.replaceAll(secret, '[redacted]');
  return result;
}

/** Strips terminal escapes and control characters, line ends and tabs aside. */
export function stripControls(text: string): string {
  return (
    text
      // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are the matter
      .replace(/\u001B(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001B]*(?:\u0007|\u001B\\)?|.)/g, '')
      .replace(/[^\P{C}\n\t]/gu, '')
  );
}
