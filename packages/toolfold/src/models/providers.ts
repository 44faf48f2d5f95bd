import { keyVariable } from '@toolfold/config/internal/key-variable.ts';
import type { ProviderSettings } from '@toolfold/config/internal/settings';
import { ToolfoldError } from '@toolfold/core/internal/errors.ts';
import { ownProperty } from '@toolfold/core/internal/values';

/** A provider that is known by its name. */
interface WellKnown extends ProviderSettings {
  readonly key: string;
  /** Its page to compare the row with. */
  readonly source: string;
  /** When the row was written, from public references to the provider. */
  readonly date: string;
}

export const WELL_KNOWN: Readonly<Record<string, WellKnown>> = {
  anthropic: {
    address: 'https://api.anthropic.com/v1',
    key: 'ANTHROPIC_API_KEY',
    protocol: 'anthropic',
    source: 'https://docs.anthropic.com/en/api/models-list',
    date: '2026-11-25',
  },
  openai: {
    address: 'https://api.openai.com/v1',
    key: 'OPENAI_API_KEY',
    protocol: 'openai',
    source: 'https://platform.openai.com/docs/api-reference/models/list',
    date: '2026-11-25',
  },
  gemini: {
    address: 'https://generativelanguage.googleapis.com/v1beta/openai',
    key: 'GEMINI_API_KEY',
    source: 'https://ai.google.dev/gemini-api/docs/openai',
    date: '2026-11-25',
  },
  openrouter: {
    address: 'https://openrouter.ai/api/v1',
    key: 'OPENROUTER_API_KEY',
    source: 'https://openrouter.ai/docs/api-reference/overview',
    date: '2026-11-25',
  },
  mistral: {
    address: 'https://api.mistral.ai/v1',
    key: 'MISTRAL_API_KEY',
    source: 'https://docs.mistral.ai/api',
    date: '2026-11-25',
  },
  deepseek: {
    address: 'https://api.deepseek.com/v1',
    key: 'DEEPSEEK_API_KEY',
    source: 'https://api-docs.deepseek.com',
    date: '2026-11-25',
  },
  groq: {
    address: 'https://api.groq.com/openai/v1',
    key: 'GROQ_API_KEY',
    source: 'https://console.groq.com/docs/openai',
    date: '2026-11-25',
  },
  xai: {
    address: 'https://api.x.ai/v1',
    key: 'XAI_API_KEY',
    source: 'https://docs.x.ai/api/integrations',
    date: '2026-11-25',
  },
};

/** Servers on this computer, by their names, and the ports at which they listen unless told otherwise. */
export const LOCAL_PORTS: Readonly<Record<string, number>> = {
  ollama: 11434,
  lmstudio: 1234,
  llamacpp: 8080,
};

/** A server at another port is named by it. */
const BY_PORT = /^local-(\d{1,5})$/;

/** The address of a server on this computer by its name. Undefined for other names. */
export function localAddress(provider: string): string | undefined {
  const port = Object.hasOwn(LOCAL_PORTS, provider)
    ? LOCAL_PORTS[provider]
    : Number(BY_PORT.exec(provider)?.[1] ?? 0);
  return port ? addressOf('127.0.0.1', port) : undefined;
}

/** Whether an address is one that `findLocalServers` may have found for the provider. */
export function isFoundLocally(provider: string, address: string): boolean {
  const first = localAddress(provider);
  return first !== undefined && [first, first.replace('127.0.0.1', '[::1]')].includes(address);
}

/** The address of a server on this computer. */
export function addressOf(host: string, port: number): string {
  return `http://${host}:${port}/v1`;
}

/** Providers of the configuration, by their names. */
type Providers = Readonly<Record<string, ProviderSettings>>;

/** The variable of a key for the provider of the model that is named first, if its own is not set. */
const KEY_VARIABLE = 'TOOLFOLD_API_KEY';

/** Where a provider is, how it is spoken to, and where its key is. */
export interface Endpoint {
  readonly provider: string;
  readonly protocol: NonNullable<ProviderSettings['protocol']>;
  /** Undefined if it is not known. */
  readonly address: string | undefined;
  /** The variables of its key. The first that is set is used. Empty if no key is ever sent there. */
  readonly keys: readonly string[];
  /** Undefined if none is set. */
  readonly key: { readonly variable: string; readonly value: string } | undefined;
  /** Whether it refuses requests without a key. */
  readonly needsKey: boolean;
}

/** What an endpoint follows from besides the name of its provider. */
export interface EndpointSources {
  readonly providers?: Providers | undefined;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Servers that were found on this computer: addresses by names. */
  readonly locals?: ReadonlyMap<string, string> | undefined;
  /** The address that the user gives for the provider of the first model. */
  readonly baseUrl?: string | undefined;
  /** Whether it is that provider. */
  readonly isFirst: boolean;
}

/** The endpoint of a provider: of the configuration, well-known, or on this computer. */
export function endpointOf(
  provider: string,
  { providers = {}, env, locals, isFirst, ...given }: EndpointSources,
): Endpoint {
  const baseUrl = isFirst ? given.baseUrl : undefined;
  const known = Object.hasOwn(WELL_KNOWN, provider) ? WELL_KNOWN[provider] : undefined;
  const own = ownProperty(providers, provider) as ProviderSettings | undefined;
  const { protocol = 'openai-compatible' } = own ?? known ?? {};
  const ownKey = (own ?? known)?.key ?? keyVariable(provider);
  const at = (address: string | undefined, keys: readonly string[], needsKey: boolean) => {
    const variable = keys.find((name) => env[name]) ?? '';
    const value = env[variable];
    const key = value ? { variable, value } : undefined;
    return { provider, protocol, address, keys, key, needsKey };
  };
  // Without a key, a provider's own package would send the one of its own variable.
  const isOwnPackage = protocol !== 'openai-compatible';
  if (own) return at(baseUrl ?? own.address, [ownKey], isOwnPackage);
  const local =
    known || baseUrl !== undefined ? undefined : (locals?.get(provider) ?? localAddress(provider));
  // What listens at a port of this computer is not known well enough for a key.
  if (local !== undefined) return at(local, [], false);
  const needsKey = isOwnPackage || (known !== undefined && baseUrl === undefined);
  // The packages of these providers read such a variable.
  const moved = isOwnPackage ? env[`${provider.toUpperCase()}_BASE_URL`] : undefined;
  const keys = isFirst ? [ownKey, KEY_VARIABLE] : [ownKey];
  return at(baseUrl ?? (moved || known?.address), keys, needsKey);
}

/**
 * Throws `invalid-config` for a provider whose key could be that of another one: a file of a project must not
 * send the key of a well-known provider to an address of its own.
 */
export function checkProviders(providers: Providers, file: string): void {
  const taken = new Map(Object.entries(WELL_KNOWN).map(([name, { key }]) => [key, name]));
  taken.set(KEY_VARIABLE, 'the model that is named first');
  for (const [name, { key = keyVariable(name) }] of Object.entries(providers)) {
    if (Object.hasOwn(WELL_KNOWN, name) || !/^[\w-]+$/.test(name))
      throw refused(
        file,
        name,
        'cannot have this name',
        'Choose another name of letters, digits and hyphens.',
      );
    const owner = taken.get(key);
    if (owner !== undefined)
      throw refused(file, name, `cannot have the key ${key} of ${owner}`, 'Name another variable.');
    taken.set(key, name);
  }
}

function refused(file: string, name: string, what: string, hint: string): ToolfoldError {
  return new ToolfoldError(
    'invalid-config',
    `${file}: the provider ${JSON.stringify(name)} of toolfold.providers ${what}.`,
    hint,
  );
}
