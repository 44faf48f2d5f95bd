import { canonicalJson, isRecord, type JsonObject } from '@toolfold/core/internal/tools/values';
import type { Incoming } from '../front/index.ts';

/** What clients of one class have in common: they may share connections to servers. */
export interface ClientClass {
  readonly key: string;
  /** What servers are told that the client can do. */
  readonly capabilities: JsonObject;
  /** The answer of the clients to `roots/list`, where servers may ask for it at any time. */
  readonly roots?: JsonObject;
}

/** What counts of each capability. Clients may add more, and each class has connections of its own. */
const COUNTED: Readonly<Record<string, readonly string[]>> = {
  elicitation: ['form', 'url'],
  sampling: ['tools', 'context'],
  roots: ['listChanged'],
};

/**
 * The class of a request's client. Servers may list other tools for other capabilities, and keep the folders
 * of the client for their connection. `roots`: the answer of the client, once it was asked.
 */
export function classOf(
  { capabilities: announced }: Pick<Incoming, 'capabilities'>,
  roots: JsonObject | undefined,
): ClientClass {
  const capabilities = Object.fromEntries(
    Object.entries(COUNTED).flatMap(([name, counted]) => {
      const given = announced[name];
      if (!isRecord(given)) return [];
      const kept = counted.flatMap((key): [string, true | JsonObject][] => {
        const value = given[key];
        return value === true ? [[key, true]] : isRecord(value) ? [[key, {}]] : [];
      });
      return [[name, Object.fromEntries(kept)]];
    }),
  ) as JsonObject;
  const key = canonicalJson({ capabilities, roots: roots ?? null });
  return { key, capabilities, ...(roots && { roots }) };
}
