/** Prices of a provider's prompt cache, as multiples of the model's base price of an input token. */
export interface ModelPrices {
  /** Glob for the AI SDK's `provider`, without regard to case: `deepseek*`. */
  readonly provider: string;
  /** Glob for the AI SDK's `modelId`, without regard to case: `*claude-opus-5*`. */
  readonly model: string;
  /** Price of a token that is written to the cache: 1 if writing costs only the base price. */
  readonly write: number;
  /** Price of a token read from the cache. */
  readonly read: number;
  /** Minimum tokens of a cached prefix, if the provider states it. */
  readonly minPrefix?: number;
  /** The source of the row: a URL, or a package and its version. */
  readonly source: string;
  /** Day on which the source was read, YYYY-MM-DD. */
  readonly date: string;
}

/** A price list of many providers. The ratios below are calculated from it. */
const LIST = '@earendil-works/pi-ai 1.5.2, cost';

// Prices of the five-minute cache. Bedrock and the gateways use the same ratios, so the row is for
// every provider. `minPrefix` is that of Anthropic's own API.
const CLAUDE = {
  provider: '*',
  write: 1.25,
  source: `https://platform.claude.com/docs/en/build-with-claude/prompt-caching; ${LIST}`,
  date: '2026-11-22',
} as const;

const OPENAI = {
  provider: '*',
  minPrefix: 1024,
  source: `https://developers.openai.com/api/docs/guides/prompt-caching; ${LIST}`,
  date: '2026-11-22',
} as const;

const LISTED = {
  provider: '*',
  write: 1,
  source: LIST,
  date: '2026-11-22',
} as const;

const GEMINI = {
  provider: '*',
  write: 1,
  source: `https://ai.google.dev/gemini-api/docs/caching; ${LIST}`,
  date: '2026-11-22',
} as const;

const DEEPSEEK = { ...LISTED, provider: 'deepseek*' } as const;

const KIMI = { ...LISTED, provider: 'moonshot*' } as const;

const MISTRAL = {
  provider: 'mistral*',
  write: 1,
  source: 'https://docs.mistral.ai/studio-api/conversations/advanced/prompt-caching',
  date: '2026-11-22',
} as const;

// Prices of the implicit cache, which needs no markers.
const QWEN = {
  provider: 'alibaba*',
  write: 1,
  source: 'https://www.alibabacloud.com/help/en/model-studio/context-cache',
  date: '2026-11-22',
} as const;

/**
 * Prices of prompt caches. The first matching row counts. Models with open weights have rows only for
 * their maker's API: other hosts set their own prices, and a local machine has none.
 */
export const PRICES: readonly ModelPrices[] = [
  { ...CLAUDE, model: '*claude-fable-5?2*', read: 0.025, minPrefix: 512 },
  { ...CLAUDE, model: '*claude-fable-5?1*', read: 0.025, minPrefix: 512 },
  { ...CLAUDE, model: '*claude-fable-5*', read: 0.1, minPrefix: 512 },
  { ...CLAUDE, model: '*claude-mythos-5?1*', read: 0.025, minPrefix: 512 },
  { ...CLAUDE, model: '*claude-mythos-5', read: 0.1, minPrefix: 512 },
  { ...CLAUDE, model: '*claude-opus-5?5*', read: 0.05, minPrefix: 512 },
  { ...CLAUDE, model: '*claude-opus-5*', read: 0.1, minPrefix: 512 },
  { ...CLAUDE, model: '*claude-opus-4?8*', read: 0.1, minPrefix: 1024 },
  { ...CLAUDE, model: '*claude-opus-4?7*', read: 0.1, minPrefix: 2048 },
  { ...CLAUDE, model: '*claude-opus-4?6*', read: 0.1, minPrefix: 4096 },
  { ...CLAUDE, model: '*claude-opus-4?5*', read: 0.1, minPrefix: 4096 },
  { ...CLAUDE, model: '*claude-opus-4*', read: 0.1, minPrefix: 1024 },
  { ...CLAUDE, model: '*claude-sonnet-5?5*', read: 0.05, minPrefix: 512 },
  { ...CLAUDE, model: '*claude-sonnet-5*', read: 0.1, minPrefix: 1024 },
  { ...CLAUDE, model: '*claude-sonnet-4*', read: 0.1, minPrefix: 1024 },
  { ...CLAUDE, model: '*claude-haiku-5?5*', read: 0.1, minPrefix: 512 },
  { ...CLAUDE, model: '*claude-haiku-4?5*', read: 0.1, minPrefix: 4096 },

  { ...OPENAI, model: '*gpt-6.1*', write: 1.25, read: 0.05 },
  { ...OPENAI, model: '*gpt-6*', write: 1.25, read: 0.1 },
  { ...OPENAI, model: '*gpt-5.6*', write: 1.25, read: 0.1 },
  { ...LISTED, model: '*gpt-5*-pro*', read: 1 }, // no discount for cached tokens
  { ...OPENAI, model: '*gpt-5*', write: 1, read: 0.1 },
  { ...OPENAI, model: '*gpt-4.1*', write: 1, read: 0.25 },
  { ...OPENAI, model: '*gpt-4o*', write: 1, read: 0.5 },

  { ...GEMINI, model: '*gemini-4-argon*', read: 0.05, minPrefix: 4096 },
  { ...GEMINI, model: '*gemini-*-flash-lite*', read: 0.1 },
  { ...GEMINI, model: '*gemini-3.*', read: 0.1, minPrefix: 4096 },
  { ...GEMINI, model: '*gemini-3-flash*', read: 0.1, minPrefix: 1024 },
  { ...GEMINI, model: '*gemini-2.5-*', read: 0.1, minPrefix: 2048 },

  { ...LISTED, model: '*grok-4.7*', read: 0.25 },
  { ...LISTED, model: '*grok-4.6*', read: 0.25 },
  { ...LISTED, model: '*grok-4.5*', read: 0.15 },
  { ...LISTED, model: '*grok-4.3*', read: 0.16 },

  { ...DEEPSEEK, model: 'deepseek-*flash*', read: 0.02 },
  { ...DEEPSEEK, model: 'deepseek-v4-pro*', read: 0.033 },
  { ...KIMI, model: 'kimi-k3.1-pro-highspeed', read: 0.05 },
  { ...KIMI, model: 'kimi-k3*', read: 0.1 },
  { ...KIMI, model: 'kimi-k2.7*', read: 0.2 },
  { ...KIMI, model: 'kimi-k2.6*', read: 0.17 },
  { ...MISTRAL, model: '*', read: 0.1 },
  { ...QWEN, model: 'qwen*', read: 0.2, minPrefix: 1024 },
];
