/** JSON itself leaves control characters beyond ASCII as they are, and a terminal would obey them. */
export function escapedControls(text: string): string {
  return text.replace(
    /[\u007F-\u009F]/g,
    (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** The value as JSON without control characters. */
export function json(value: unknown, indent?: number): string {
  return `${escapedControls(JSON.stringify(value, null, indent))}\n`;
}
