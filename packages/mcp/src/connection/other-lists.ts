import { isRecord, type JsonObject, listIn, ownProperty } from '@toolfold/core/internal/values';
import type { Client } from '../sdk.ts';
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

type SendRequest = (method: string, params: JsonObject) => Promise<unknown>;

/** Reads all pages of each list. Never rejects: a list that cannot be read is absent. One that the server does not know is empty. */
export async function readOtherLists(
  capabilities: JsonObject | undefined,
  ask: SendRequest,
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

async function itemsOf(method: string, key: string, ask: SendRequest): Promise<JsonObject[]> {
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

/** Milliseconds before a subscription that ended is opened again. */
const PAUSE = 5000;

/** Follows the notices of one server that its list of tools has changed. */
export class ListChanges {
  #listener: (() => void) | undefined;
  /** A notice came before anybody listened. */
  #isPending = false;

  onChange(listener: () => void): void {
    this.#listener = listener;
    if (!this.#isPending) return;
    this.#isPending = false;
    listener();
  }

  /** Call this before the client connects. */
  follow(client: Client): void {
    client.setNotificationHandler('notifications/tools/list_changed', () => this.#notice());
  }

  /**
   * Call this when the client is connected. Since 2026-07-28 a server sends notices only to clients
   * that ask for them. A server that refuses is not followed. `withOthers`: also changes of the lists of
   * resources and prompts.
   */
  subscribe(client: Client, withOthers: boolean): void {
    if (client.getProtocolEra() !== 'modern') return;
    const { tools, prompts, resources } = client.getServerCapabilities() ?? {};
    const filter = {
      ...(tools?.listChanged && { toolsListChanged: true }),
      ...(withOthers && prompts?.listChanged && { promptsListChanged: true }),
      ...(withOthers && resources?.listChanged && { resourcesListChanged: true }),
    };
    if (Object.keys(filter).length > 0) void this.#listen(client, filter);
  }

  async #listen(client: Client, filter: Parameters<Client['listen']>[0]): Promise<void> {
    try {
      const subscription = await client.listen(filter);
      if ((await subscription.closed) !== 'remote') return;
    } catch {
      return;
    }
    const timer = setTimeout(() => {
      if (client.transport === undefined) return;
      // Notices may have been missed.
      this.#notice();
      void this.#listen(client, filter);
    }, PAUSE);
    timer.unref();
  }

  #notice(): void {
    if (this.#listener) this.#listener();
    else this.#isPending = true;
  }
}
