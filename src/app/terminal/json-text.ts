/** The value as JSON without control characters: JSON itself leaves those beyond ASCII as they are. */
export function json(value: unknown, indent?: number): string {
  const text = JSON.stringify(value, null, indent);
  return `${text.replace(/[\u007F-\u009F]/g, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`)}\n`;
}
