/** The pieces of SVG that pictures of this project are drawn with. Numbers are pixels. */

export function text(x: number, y: number, value: string, name?: string): string {
  const space = value.startsWith(' ') ? ' xml:space="preserve"' : '';
  const attribute = name === undefined ? '' : ` class="${name}"${space}`;
  return `<text x="${round(x)}" y="${round(y)}"${attribute}>${escaped(value)}</text>`;
}

export function rect(x: number, y: number, width: number, height: number, name: string): string {
  return `<rect x="${round(x)}" y="${round(y)}" width="${round(width)}" height="${round(height)}" class="${name}"/>`;
}

export function line(x1: number, y1: number, x2: number, y2: number, name: string): string {
  return `<line x1="${round(x1)}" y1="${round(y1)}" x2="${round(x2)}" y2="${round(y2)}" class="${name}"/>`;
}

export function escaped(value: string): string {
  return value.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}

export function round(value: number): string {
  return String(Math.round(value * 10) / 10);
}

/** The text with an ellipsis for what is beyond the length, in characters. */
export function shortened(value: string, length: number): string {
  return value.length <= length ? value : `${value.slice(0, length - 1)}…`;
}
