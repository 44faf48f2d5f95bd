import { isRecord, type JsonObject, type JsonValue } from '@toolfold/core/internal/values';

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

/**
 * A result with the addresses for clients: of its links, of its resources, and of those in the messages of a prompt.
 * The same object if nothing differs. `addressOf`: the address for clients of one of the server.
 */
export function readdressed(value: JsonObject, addressOf: (uri: string) => string): JsonObject {
  const part = (one: JsonValue | undefined): JsonValue | undefined => {
    if (!isRecord(one)) return one;
    const item = one as JsonObject;
    if (typeof item.uri === 'string') return withField(item, 'uri', addressOf(item.uri));
    return withField(item, 'resource', item.resource && part(item.resource));
  };
  const parts = (list: JsonValue | undefined): JsonValue | undefined =>
    Array.isArray(list) ? sameOr(list, list.map(part) as JsonValue[]) : part(list);
  const messages = (list: JsonValue | undefined): JsonValue | undefined =>
    Array.isArray(list)
      ? sameOr(
          list,
          list.map((one) => {
            return isRecord(one)
              ? withField(one as JsonObject, 'content', parts((one as JsonObject).content))
              : one;
          }),
        )
      : list;
  const inContent = withField(value, 'content', parts(value.content));
  const inContents = withField(inContent, 'contents', parts(value.contents));
  return withField(inContents, 'messages', messages(value.messages));
}

/** The object with another value of a field; itself if the value is the same. */
function withField(object: JsonObject, key: string, value: JsonValue | undefined): JsonObject {
  return value === undefined || value === object[key] ? object : { ...object, [key]: value };
}

function sameOr(before: JsonValue[], after: JsonValue[]): JsonValue[] {
  return after.every((one, at) => one === before[at]) ? before : after;
}
