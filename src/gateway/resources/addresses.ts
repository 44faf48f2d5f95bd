import { isRecord, type JsonObject, type JsonValue } from '../../tools/values/index.ts';

/** The address of a resource whose own address another server has too. */
export function otherAddress(server: string, uri: string): string {
  return `toolfold+${encodeURIComponent(server)}:${uri}`;
}

/** The server and its own address, if an address names its server. */
export function namedServer(address: string): { server: string; uri: string } | undefined {
  const [, server, uri] = /^toolfold\+([^:]+):(.*)$/s.exec(address) ?? [];
  if (server === undefined || uri === undefined) return;
  try {
    return { server: decodeURIComponent(server), uri };
  } catch {
    return;
  }
}

/** Whether an address is one of a template, such as `file:///{path}`. */
export function matchesTemplate(template: string, uri: string): boolean {
  if (template.length > 2000 || uri.length > 10_000) return false;
  const parts = template.split(/\{[^{}]*\}/);
  if (parts.length === 1) return template === uri;
  const [first = '', ...others] = parts;
  if (!uri.startsWith(first)) return false;
  let at = first.length;
  const last = others.pop() ?? '';
  for (const part of others) {
    const found = uri.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return uri.length - last.length >= at && uri.endsWith(last);
}

/** A result in which a server's own addresses that others have too are replaced. */
export function readdressed(value: JsonObject, addressOf: (uri: string) => string): JsonObject {
  const part = (one: JsonValue): JsonValue => {
    if (!isRecord(one)) return one;
    const item = one as JsonObject;
    if (typeof item.uri === 'string') return { ...item, uri: addressOf(item.uri) };
    return isRecord(item.resource)
      ? { ...item, resource: part(item.resource as JsonObject) }
      : item;
  };
  const lists = ['content', 'contents'].filter((key) => Array.isArray(value[key]));
  const changed = lists.map((key) => [key, (value[key] as JsonValue[]).map(part)]);
  return { ...value, ...Object.fromEntries(changed) };
}
