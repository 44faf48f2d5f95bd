import { join } from 'node:path';
import { readPrivate, userFolder, writePrivate } from '../../files/index.ts';
import { ownProperty, parsedJson } from '../../tools/values/index.ts';
import { isLocalAddress } from './local-servers.ts';

/** The model that the user has chosen in a chat, for conversations in which none is named. */
export interface KeptChoice {
  /** `provider/name`. */
  readonly model: string;
  /** The address at which a server of this computer was found. */
  readonly address?: string | undefined;
}

function fileOf(env: NodeJS.ProcessEnv): string {
  return join(userFolder('data', { env }), 'model.json');
}

/** Undefined if nothing is kept, and for a file that does not say it clearly. */
export async function readChoice(env: NodeJS.ProcessEnv): Promise<KeptChoice | undefined> {
  const text = await readPrivate(fileOf(env)).catch(() => undefined);
  const kept = text === undefined ? undefined : parsedJson(text);
  const [model, address] = ['model', 'address'].map((key) => ownProperty(kept, key));
  if (typeof model !== 'string' || !/^[^/\s]+\/\S+$/.test(model)) return;
  if (address === undefined) return { model };
  const provider = model.slice(0, model.indexOf('/'));
  return typeof address === 'string' && isLocalAddress(provider, address)
    ? { model, address }
    : undefined;
}

/** Keeps it for the user, in all folders. Rejects if it cannot be written. */
export async function keepChoice(choice: KeptChoice, env: NodeJS.ProcessEnv): Promise<void> {
  await writePrivate(fileOf(env), `${JSON.stringify(choice)}\n`);
}
