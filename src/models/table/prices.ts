/** What a provider's prompt cache costs, as multiples of the model's base price of an input token. */
export interface ModelPrices {
  /** Glob over the AI SDK's `provider`, case aside: `deepseek*`. */
  readonly provider: string;
  /** Glob over the AI SDK's `modelId`, case aside: `*claude-opus-5*`. */
  readonly model: string;
  /** A token not yet cached, written in passing: 1 where writing adds nothing to the base price. */
  readonly write: number;
  /** A token read from the cache. */
  readonly read: number;
  /** Tokens that a prefix must have to be cached at all, where the provider says. */
  readonly minPrefix?: number;
  /** Where this is stated: an address, or a package and its version. */
  readonly source: string;
  /** Day on which the source was read, YYYY-MM-DD. */
  readonly date: string;
}

/** A price list of many providers, from which the ratios below were reckoned. */
const LIST = '@earendil-works/pi-ai 1.5.2, cost';

// The five-minute cache. Bedrock and the gateways sell Claude at the same ratios, hence every
// provider; shortest prefixes are those of Anthropic's own API.
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

// The implicit cache, which needs no markers.
const QWEN = {
  provider: 'alibaba*',
  write: 1,
  source: 'https://www.alibabacloud.com/help/en/model-studio/context-cache',
  date: '2026-11-22',
} as const;

/**
 * Prices of prompt caches; the first row that matches counts. Models with open weights have rows for
 * their maker's own API only: other hosts price them as they please, and one's own machine charges
 * nothing that could be compared.
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
  { ...LISTED, model: '*gpt-5*-pro*', read: 1 }, // no discount on what was sent before
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
