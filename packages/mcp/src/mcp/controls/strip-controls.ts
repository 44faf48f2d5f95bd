/** Removes terminal escapes and control characters except line ends and tabs. */
export function stripControls(text: string): string {
  return (
    text
      // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are the matter
      .replace(/\u001B(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001B]*(?:\u0007|\u001B\\)?|.)/g, '')
      .replace(/[^\P{C}\n\t]/gu, '')
  );
}
