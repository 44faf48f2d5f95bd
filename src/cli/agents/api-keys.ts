/** The values of all variables whose names end with `_API_KEY`. They are never shown. */
export function apiKeys(env: Readonly<Record<string, string | undefined>>): readonly string[] {
  const found = Object.entries(env).filter(([name]) => name.endsWith('_API_KEY'));
  return found.map(([, key = '']) => key);
}
