import { join } from 'node:path';
import { readPrivate, userFolder, writePrivate } from '@toolfold/config/internal/files';
import type { ToolfoldError } from '@toolfold/core/internal/errors.ts';
import { splitModelName } from '@toolfold/core/internal/models';
import { bytesUpTo, ownProperties, ownProperty, parsedJson } from '@toolfold/core/internal/values';
import { usageError } from '../terminal/index.ts';
import { type LoadedModel, loadModel } from './model.ts';
import {
  addressOf,
  checkProviders,
  type Endpoint,
  type EndpointSources,
  endpointOf,
  isFoundLocally,
  LOCAL_PORTS,
  localAddress,
  WELL_KNOWN,
} from './providers.ts';

/** What the models of a run follow from. */
export interface DirectorySources extends Pick<EndpointSources, 'providers' | 'baseUrl'> {
  /** The model that flags or the role name. */
  readonly named: string | undefined;
  /** The file with the providers, for messages. */
  readonly file: string;
  readonly env: NodeJS.ProcessEnv;
}

/** A model to choose, or with a slash at its end a provider whose models can be listed. */
export interface ModelOffer {
  readonly value: string;
  readonly description?: string;
}

/** The variable that names the model if neither flag nor role does. */
const MODEL_VARIABLE = 'TOOLFOLD_MODEL';

/** Milliseconds to wait for the list of a provider, and most bytes of it. */
const PATIENCE = 3_000;
const MOST_BYTES = 5_000_000;

/** The models of one run: which are known, where they are, and which one the user has chosen before. */
export class ModelDirectory {
  readonly #sources: DirectorySources;
  readonly #ports: readonly number[];
  readonly #locals = new Map<string, string>();
  readonly #lists = new Map<string, readonly string[]>();
  #found: readonly LocalServer[] = [];
  #searching: Promise<void> | undefined;
  /** The address that the user gives is that of its provider. Undefined: the first one to load. */
  #first: string | undefined;

  /** The name of the model that is kept. */
  readonly kept: string | undefined;

  private constructor(sources: DirectorySources, kept: Awaited<ReturnType<typeof readChoice>>) {
    this.#sources = sources;
    this.#ports = localPorts(sources.env);
    this.kept = kept?.model;
    this.#first = this.nameOf(sources.named);
    if (kept?.address !== undefined)
      this.#locals.set(splitModelName(kept.model).provider, kept.address);
  }

  /** Rejects with `invalid-config` for a provider that may not be, and with `invalid-option` for wrong ports. */
  static async open(sources: DirectorySources): Promise<ModelDirectory> {
    checkProviders(sources.providers ?? {}, sources.file);
    return new ModelDirectory(sources, await readChoice(sources.env));
  }

  /** The name of the model to use: this one, else that of the environment, else the one that is kept. */
  nameOf(given: string | undefined): string | undefined {
    return given ?? (this.#sources.env[MODEL_VARIABLE] || this.kept);
  }

  /** Loads a model by its name. Rejects as `loadModel` does. */
  readonly load = async (name: string): Promise<LoadedModel> => {
    this.#first ??= name;
    return loadModel(name, this.#endpoint(splitModelName(name).provider));
  };

  /** Where a model is served. Undefined: where the package of its provider says. */
  addressOf(name: string): string | undefined {
    return this.#endpoint(splitModelName(name).provider, name).address;
  }

  /** The names of the models that were found on this computer until now. */
  get foundNames(): readonly string[] {
    return this.#found.flatMap(({ provider, models }) => models.map((id) => `${provider}/${id}`));
  }

  /** The error of a command that needs a model, with the ways to name one. */
  async noModel(): Promise<ToolfoldError> {
    const isFound = (await this.search()).length > 0;
    const here = isFound
      ? `On this computer: ${this.foundNames.map((name) => `--model ${name}`).join(', ')}.`
      : 'A local server: --model local/qwen3 --base-url http://127.0.0.1:11434/v1.';
    return usageError(
      'No model is given.',
      `Give one as provider/name: with --model, as "model" of a role in the configuration, or in the variable ${MODEL_VARIABLE}. ${here}`,
    );
  }

  /** Asks the ports of this computer, until one of them has answered. Never rejects. */
  async search(): Promise<readonly LocalServer[]> {
    if (this.#found.length > 0) return this.#found;
    this.#searching ??= findLocalServers(this.#ports).then((found) => {
      this.#searching = undefined;
      this.#found = found;
      for (const { provider, address } of found) this.#locals.set(provider, address);
    });
    await this.#searching;
    return this.#found;
  }

  /** The names of the models of a provider, asked once. Undefined if it does not answer, or needs a key. */
  async listed(provider: string, signal: AbortSignal): Promise<readonly string[] | undefined> {
    const known = this.#lists.get(provider);
    if (known || this.#missingKey(provider) !== undefined) return known;
    const within = AbortSignal.any([signal, AbortSignal.timeout(PATIENCE)]);
    const ids = await listedModels(this.#endpoint(provider), within, MOST_BYTES);
    const names = ids?.map((id) => `${provider}/${id.replace(/^models\//, '')}`);
    if (names) this.#lists.set(provider, names);
    return names;
  }

  /**
   * What the user can choose from: the models of the provider in use and of this computer, and all providers that
   * are known. Only the provider in use and the ports of this computer are asked.
   */
  async offers(current: string | undefined, signal: AbortSignal): Promise<readonly ModelOffer[]> {
    const inUse = current?.slice(0, Math.max(0, current.indexOf('/')));
    const [, own = []] = await Promise.all([
      this.search(),
      inUse === undefined ? undefined : this.listed(inUse, signal),
    ]);
    const others = [...Object.keys(this.#sources.providers ?? {}), ...Object.keys(WELL_KNOWN)];
    return [
      ...[...new Set([...own, ...this.foundNames])].map((value) => ({ value })),
      ...others
        .filter((provider) => provider !== inUse || own.length === 0)
        .map((provider) => ({
          value: `${provider}/`,
          description: this.#missingKey(provider) ?? 'shows its models',
        })),
    ];
  }

  /** The models of a provider to choose from. Rejects with `invalid-option` if it shows none. */
  async offersOf(provider: string, signal: AbortSignal): Promise<readonly string[]> {
    const names = await this.listed(provider, signal);
    if (names) return names;
    const { address } = this.#endpoint(provider);
    const state = this.#missingKey(provider) ?? `${address} does not list them`;
    throw usageError(
      `The models of ${provider} cannot be shown: ${address === undefined ? 'its address is not known' : state}.`,
      `Name one: /model ${provider}/name.`,
    );
  }

  /** Keeps a choice of the user for conversations in which no model is named. Rejects if it cannot be written. */
  async keep(model: string): Promise<void> {
    const { provider } = splitModelName(model);
    const found = this.#locals.get(provider);
    const address = found === localAddress(provider) ? undefined : found;
    await writePrivate(fileOf(this.#sources.env), `${JSON.stringify({ model, address })}\n`);
  }

  #endpoint(provider: string, first: string | undefined = undefined): Endpoint {
    const isFirst = (this.#first ?? first)?.startsWith(`${provider}/`) === true;
    return endpointOf(provider, { ...this.#sources, locals: this.#locals, isFirst });
  }

  /** Undefined if it has a key, or needs none. */
  #missingKey(provider: string): string | undefined {
    const { needsKey, key, keys } = this.#endpoint(provider);
    return needsKey && !key ? `it needs a key in ${keys[0]}` : undefined;
  }
}

function fileOf(env: NodeJS.ProcessEnv): string {
  return join(userFolder('data', { env }), 'model.json');
}

/**
 * The model that the user has chosen in a chat, and the address at which a server of this computer was found.
 * Undefined if nothing is kept, and for a file that does not say it clearly.
 */
async function readChoice(
  env: NodeJS.ProcessEnv,
): Promise<{ readonly model: string; readonly address?: string } | undefined> {
  const text = await readPrivate(fileOf(env)).catch(() => undefined);
  const { model, address } = ownProperties(parsedJson(text ?? ''));
  if (typeof model !== 'string' || !/^[^/\s]+\/\S+$/.test(model)) return;
  if (address === undefined) return { model };
  const isLocal =
    typeof address === 'string' && isFoundLocally(splitModelName(model).provider, address);
  return isLocal ? { model, address } : undefined;
}

/** A server on this computer that has models. */
interface LocalServer {
  /** What stands before the slash in the names of its models. */
  readonly provider: string;
  readonly address: string;
  readonly models: readonly string[];
}

/** The variable with the ports that are asked. An empty one asks none. */
const PORTS_VARIABLE = 'TOOLFOLD_LOCAL_PORTS';
const HOSTS = ['127.0.0.1', '[::1]'];
/** Milliseconds for all ports together. */
const LOCAL_PATIENCE = 300;
const MOST_LOCAL_BYTES = 256_000;
/** Nothing is known of what listens at a port. */
const UNKNOWN = { protocol: 'openai-compatible', keys: [], key: undefined } as const;

/** The ports that are asked. Throws `invalid-option` for a malformed variable. */
export function localPorts(env: Readonly<Record<string, string | undefined>>): readonly number[] {
  const given = env[PORTS_VARIABLE];
  if (given === undefined) return Object.values(LOCAL_PORTS);
  const ports = given
    .split(/[\s,]+/)
    .filter(Boolean)
    .map(Number);
  if (ports.every((port) => Number.isInteger(port) && port > 0 && port < 65_536)) return ports;
  throw usageError(
    `The variable ${PORTS_VARIABLE} holds something else than ports.`,
    'Write them as 11434,8080. An empty variable means none.',
  );
}

/** Asks all ports side by side which models they have. Sends nothing else, and no key. Never rejects. */
export async function findLocalServers(
  ports: readonly number[],
  patience: number = LOCAL_PATIENCE,
): Promise<readonly LocalServer[]> {
  if (ports.length === 0) return [];
  const signal = AbortSignal.timeout(patience);
  const asked = ports.map(async (port) => {
    const provider = providerAt(port);
    const addresses = HOSTS.map((host) => addressOf(host, port));
    const answers = await Promise.all(
      addresses.map((address) => listedModels({ ...UNKNOWN, address }, signal, MOST_LOCAL_BYTES)),
    );
    // A server mostly listens at both. One name has one address: the first that answers.
    const at = answers.findIndex((models) => models !== undefined);
    const [address, models] = [addresses[at], answers[at]];
    return address !== undefined && models ? [{ provider, address, models }] : [];
  });
  return (await Promise.all(asked)).flat();
}

function providerAt(port: number): string {
  return Object.entries(LOCAL_PORTS).find(([, one]) => one === port)?.[0] ?? `local-${port}`;
}

/** Most models of one provider. */
const MOST = 1_000;
/** An id is printed on lines and typed by users. */
const ID = /^[\x21-\x7e]{1,200}$/;

/**
 * The ids of the models that an endpoint lists. Undefined for anything but a list of this form, for one of more than
 * `limit` bytes, and if the signal fires. Where no key is sent anything may answer, so the answer must say what it is.
 * A redirect is not followed: the headers may hold a key.
 */
async function listedModels(
  { address, protocol, keys, key }: Omit<Endpoint, 'provider' | 'needsKey'>,
  signal: AbortSignal,
  limit: number,
): Promise<readonly string[] | undefined> {
  if (address === undefined) return;
  try {
    const url = `${address.replace(/\/+$/, '')}/models`;
    const headers = headersOf(protocol, key?.value);
    const response = await fetch(url, { headers, signal, redirect: 'error' });
    if (response.status !== 200 || response.body === null) {
      await response.body?.cancel();
      return;
    }
    const { bytes, isWhole } = await bytesUpTo(limit, response.body);
    if (isWhole) return idsIn(JSON.parse(new TextDecoder().decode(bytes)), keys.length === 0);
    return;
  } catch {
    return;
  }
}

function headersOf(protocol: Endpoint['protocol'], key: string | undefined): HeadersInit {
  if (key === undefined) return {};
  return protocol === 'anthropic'
    ? { 'x-api-key': key, 'anthropic-version': '2023-06-01' }
    : { authorization: `Bearer ${key}` };
}

function idsIn(answer: unknown, isStrict: boolean): readonly string[] | undefined {
  const data = ownProperty(answer, 'data');
  if (!Array.isArray(data) || (isStrict && ownProperty(answer, 'object') !== 'list')) return;
  const models = data.filter((one) => !isStrict || ownProperty(one, 'object') === 'model');
  const ids = models.map((one) => ownProperty(one, 'id'));
  const known = ids.filter((id) => typeof id === 'string' && ID.test(id)) as string[];
  return known.length === 0 ? undefined : [...new Set(known)].slice(0, MOST);
}
