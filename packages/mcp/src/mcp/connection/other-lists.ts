import {
  isRecord,
  type JsonObject,
  listIn,
  ownProperty,
} from '@toolfold/core/internal/tools/values';
import { readPages } from './listing.ts';

/** What a server lists besides tools, every field as received. A list that was not read is absent. */
export interface OtherLists {
  readonly prompts?: readonly JsonObject[];
  readonly resources?: readonly JsonObject[];
  readonly resourceTemplates?: readonly JsonObject[];
}

/** The lists: the capability that a server needs, the method, and the key of the result. */
const LISTS = [
  ['prompts', 'prompts/list', 'prompts'],
  ['resources', 'resources/list', 'resources'],
  ['resources', 'resources/templates/list', 'resourceTemplates'],
] as const;

const MAX_ITEMS = 10_000;

const METHOD_NOT_FOUND = -32_601;

type Ask = (method: string, params: JsonObject) => Promise<unknown>;

/** Reads all pages of each list. Never rejects: a list that cannot be read is absent. One that the server does not know is empty. */
export async function readOtherLists(
  capabilities: JsonObject | undefined,
  ask: Ask,
): Promise<OtherLists> {
  const read = LISTS.map(async ([capability, method, key]) => {
    if (ownProperty(capabilities, capability) === undefined) return [key, []] as const;
    const items = await itemsOf(method, key, ask).catch((error: unknown) =>
      ownProperty(error, 'code') === METHOD_NOT_FOUND ? [] : undefined,
    );
    return [key, items] as const;
  });
  const found = await Promise.all(read);
  return Object.fromEntries(found.filter(([, items]) => items !== undefined));
}

async function itemsOf(method: string, key: string, ask: Ask): Promise<JsonObject[]> {
  const items: JsonObject[] = [];
  await readPages(
    (cursor) => ask(method, cursor === undefined ? {} : { cursor }),
    (result) => {
      for (const item of listIn(result, key)) if (isRecord(item)) items.push(item as JsonObject);
      return items.length < MAX_ITEMS;
    },
  );
  return items.slice(0, MAX_ITEMS);
}

/** The lists of a value that was kept as JSON. */
export function keptLists(kept: unknown): OtherLists {
  const keys = LISTS.map(([, , key]) => key).filter((key) => Array.isArray(ownProperty(kept, key)));
  return Object.fromEntries(keys.map((key) => [key, listIn(kept, key).filter(isRecord)]));
}
