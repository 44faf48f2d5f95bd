/** Passes on a text the first time that its key is given. */
export function oncePerKey(pass: (text: string) => void): (key: string, text: string) => void {
  const said = new Set<string>();
  return (key, text) => {
    if (said.has(key)) return;
    said.add(key);
    pass(text);
  };
}
