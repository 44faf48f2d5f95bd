import type { ProviderSettings } from '@toolfold/config/internal/config';

/** A provider that is known by its name. */
export interface WellKnown extends ProviderSettings {
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
export function isLocalAddress(provider: string, address: string): boolean {
  const first = localAddress(provider);
  return first !== undefined && [first, first.replace('127.0.0.1', '[::1]')].includes(address);
}

/** The address of a server on this computer. */
export function addressOf(host: string, port: number): string {
  return `http://${host}:${port}/v1`;
}
