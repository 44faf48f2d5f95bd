import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { plainValue } from '../src/entries/plain.ts';
import type { AgentEvent } from '../src/events/events.ts';
import { screenOf } from '../src/events/screen.ts';
import type { ScreenView } from '../src/events/screen-view.ts';
import {
  createSession,
  type Entry,
  openSession,
  type Session,
  sqliteStore,
} from '../src/sessions.ts';
import { eventsOf } from '../src/state/rebuilt-events.ts';

/** Sessions in a file, for tests that compare screens. */
export class Sessions implements AsyncDisposable {
  readonly #folder = mkdtempSync(join(tmpdir(), 'toolfold-sessions-'));
  readonly #store = sqliteStore({ folder: this.#folder });
  #count = 0;

  async create(): Promise<Session> {
    return createSession(await this.#store, { id: `s${++this.#count}` });
  }

  /** The session as another process opens it. */
  async open(id: string): Promise<Session> {
    return openSession(await this.#store, id);
  }

  /** The entries as the file has them. */
  async entries(id: string): Promise<readonly Entry[]> {
    return (await this.#store).read(id);
  }

  /** The events, rebuilt from the file. */
  async events(id: string): Promise<readonly AgentEvent[]> {
    const store = await this.#store;
    const below = new Map<string, readonly Entry[]>();
    const collect = async (parent: string): Promise<void> => {
      for (const { id: child } of await store.list({ parent })) {
        below.set(child, await store.read(child));
        await collect(child);
      }
    };
    await collect(id);
    return [...eventsOf(await store.read(id), (child) => below.get(`${id}/${child}`) ?? [])];
  }

  /** Asserts that a screen rebuilt from the file equals the one that these events give. */
  async assertRebuilt(id: string, live: readonly AgentEvent[], name = ''): Promise<ScreenView> {
    const rebuilt = screenOf(await this.events(id));
    assert.deepEqual(comparable(rebuilt), comparable(screenOf(live)), name);
    return rebuilt;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await (await this.#store).close();
    rmSync(this.#folder, { recursive: true });
  }
}

/** The view as plain data: a journal holds nothing else. */
function comparable(view: ScreenView): unknown {
  return plainValue(view);
}
