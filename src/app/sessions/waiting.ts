import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { readPrivate, removePrivate, writePrivate } from '../../files/index.ts';
import { isLeaseFree, newOwner, type Owner, thisMoment } from '../../sessions/index.ts';
import {
  type InOrder,
  isRecord,
  listIn,
  parsedJson,
  queueOfWork,
} from '../../tools/values/index.ts';
import { sessionsFolder } from './folder.ts';

/** A message that waits for its turn. In its session it has the same id, so that no message is sent twice. */
export interface WaitingMessage {
  readonly id: string;
  readonly text: string;
  /** What the user typed, if that is not all of the text: files are attached to it. */
  readonly typed?: string | undefined;
}

/** Keeps the messages that wait in this process. When it has ended, the next one that opens their session takes them. */
export class WaitingMessages {
  readonly #folder: string;
  readonly #owner: Owner = newOwner();
  readonly #inOrder: InOrder = queueOfWork();

  /** The folder with one file for each process that has messages. */
  constructor(folder: string = join(sessionsFolder(), 'waiting')) {
    this.#folder = folder;
  }

  /** Keeps these in place of those before. Rejects if the file cannot be written. */
  keep(session: string | undefined, messages: readonly WaitingMessage[]): Promise<void> {
    const owner = this.#owner;
    const file = join(this.#folder, owner.instance);
    const left = { session, owner, messages };
    return this.#inOrder(async () => {
      if (session === undefined || messages.length === 0) await removePrivate(file);
      else await writePrivate(file, JSON.stringify(left));
    });
  }

  /** Takes out the messages of a session that processes have left which have ended. Only one process gets them. */
  async take(session: string): Promise<readonly WaitingMessage[]> {
    const taken: WaitingMessage[] = [];
    for (const name of await readdir(this.#folder).catch(() => [])) {
      const file = join(this.#folder, name);
      const text = await readPrivate(file).catch(() => undefined);
      const left = parsedJson(text ?? '');
      if (!isRecord(left) || left.session !== session || !hasEnded(left.owner)) continue;
      if (await removePrivate(file)) taken.push(...listIn(left, 'messages').filter(isMessage));
    }
    return taken;
  }
}

/** Whether a process has certainly ended. The time of its last sign does not count. */
function hasEnded(owner: unknown): boolean {
  const now = thisMoment();
  return isRecord(owner) && isLeaseFree({ owner: owner as unknown as Owner, renewed: now }, now);
}

function isMessage(value: unknown): value is WaitingMessage {
  return isRecord(value) && typeof value.id === 'string' && typeof value.text === 'string';
}
