import { isRecord, ownProperty } from '@toolfold/core/internal/tools/values';

/** Characters that an HTTP header can have as they are. */
const PLAIN = /^[\t\x20-\x7e]+$/;

/**
 * The HTTP headers for the arguments that a tool's schema marks with `x-mcp-header`, since 2026-07-28.
 * Tools with invalid marks are left out when the tools are listed.
 */
export function paramHeaders(schema: unknown, input: unknown): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const [key, property] of Object.entries(ownProperty(schema, 'properties') ?? {})) {
    const value = ownProperty(input, key);
    const name = ownProperty(property, 'x-mcp-header');
    const text = textOf(value);
    if (typeof name === 'string' && text !== undefined)
      headers[`Mcp-Param-${name}`] = encoded(text);
    if (isRecord(value)) Object.assign(headers, paramHeaders(property, value));
  }
  return headers;
}

function textOf(value: unknown): string | undefined {
  if (typeof value === 'string' || typeof value === 'boolean') return String(value);
  if (typeof value !== 'number' || !Number.isFinite(value)) return;
  return Number.isInteger(value) && !Number.isSafeInteger(value) ? undefined : String(value);
}

function encoded(text: string): string {
  const isPlain = PLAIN.test(text) && text === text.trim() && !/^=\?base64\?.*\?=$/.test(text);
  return isPlain ? text : `=?base64?${Buffer.from(text).toString('base64')}?=`;
}
