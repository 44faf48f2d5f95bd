/** How a provider is asked for its prompt cache, through the options of the AI SDK's provider. */
export interface ModelCaching {
  /** Glob for the AI SDK's `provider`, without regard to case: `anthropic.messages`. */
  readonly provider: string;
  /** Glob for the AI SDK's `modelId`, without regard to case. */
  readonly model: string;
  /**
   * The keys of `providerOptions` that the provider's packages read. The `promptCacheKey` stands under the first. An
   * option under a key that only other rows have is no option of a request here.
   */
  readonly reads: readonly [string, ...string[]];
  /** The marks; absent where a provider takes none. Without marks and key it caches by itself, and takes nothing. */
  readonly marks?: CacheMarks;
  /** Whether requests with the same `promptCacheKey` go where their prefix is cached. */
  readonly takesKey?: true;
  /** The source of the row: a URL, or a package and its version. */
  readonly source: string;
  /** Day on which the source was read, YYYY-MM-DD. */
  readonly date: string;
}

/** How packages call a mark. `cache_control` is passed on as it is. */
export type MarkOption = 'cacheControl' | 'cache_control' | 'cachePoint' | 'promptCacheBreakpoint';

/** The marks of a provider: up to here, please cache. */
export interface CacheMarks {
  /** The option of a mark, by the key under which a package reads it. Several packages may reach the provider. */
  readonly options: Readonly<Record<string, MarkOption>>;
  /**
   * `all`: the provider caches only up to marks. `frozen`: it caches by itself, and a mark at the end of what is
   * frozen lets other conversations read that part.
   */
  readonly places: 'all' | 'frozen';
  /** Whether a definition of a tool can carry a mark. */
  readonly onTools: boolean;
  /** Whether a mark can ask for an hour instead of five minutes. */
  readonly hour: boolean;
  /** The most marks of a request. */
  readonly max: number;
  /** How many blocks before a mark the provider looks for what was written earlier. */
  readonly lookBack: number;
  /** The tokens that the provider caches at least, for a model whose prices do not say it. */
  readonly minimum: number;
}

const CACHE_CONTROL: CacheMarks = {
  options: { anthropic: 'cacheControl' },
  places: 'all',
  onTools: true,
  hour: false,
  max: 4,
  lookBack: 20,
  minimum: 4_096,
};

const ANTHROPIC = {
  provider: 'anthropic.messages',
  model: '*',
  reads: ['anthropic'],
  marks: { ...CACHE_CONTROL, hour: true },
  source:
    'https://platform.claude.com/docs/en/build-with-claude/prompt-caching; @ai-sdk/anthropic 4.0.105',
  date: '2026-11-27',
} as const;

// These hosts refuse the mark of a whole request, and some of them refuse `ttl`.
const CLOUDS = {
  ...ANTHROPIC,
  reads: ['anthropic', 'googleVertex', 'vertex'],
  marks: CACHE_CONTROL,
  source: 'github.com/UKGovernmentBEIS/inspect_ai, pull request 3851; litellm issues 26320, 34248',
} as const;

// The AI SDK's provider has no place for a cache point behind the tools. A point behind the system text covers them.
const CONVERSE = {
  provider: 'amazon-bedrock',
  reads: ['amazonBedrock', 'bedrock'],
  marks: { ...CACHE_CONTROL, options: { amazonBedrock: 'cachePoint' }, onTools: false },
  source:
    'https://docs.aws.amazon.com/bedrock/latest/userguide/prompt-caching.html; @ai-sdk/amazon-bedrock 5.0.101',
  date: '2026-11-27',
} as const;

// `@ai-sdk/openai-compatible` reads marks under a key of its own, on messages, parts and results, not on tools.
const COMPATIBLE = { openaiCompatible: 'cache_control' } as const;

// A mark on a whole tool message would become one on each of its results.
const OPENROUTER = {
  model: '*claude*',
  reads: ['openrouter', 'anthropic', 'openaiCompatible'],
  marks: {
    ...CACHE_CONTROL,
    options: { openrouter: 'cacheControl', ...COMPATIBLE },
    onTools: false,
  },
  source:
    'https://openrouter.ai/docs/features/prompt-caching; @openrouter/ai-sdk-provider 3.1.0; @ai-sdk/openai-compatible 3.0.92',
  date: '2026-11-27',
} as const;

const ALIBABA = {
  provider: 'alibaba.chat',
  model: '*',
  reads: ['alibaba', 'openaiCompatible'],
  marks: {
    ...CACHE_CONTROL,
    options: { alibaba: 'cacheControl', ...COMPATIBLE },
    onTools: false,
    minimum: 1_024,
  },
  source:
    'https://www.alibabacloud.com/help/en/model-studio/context-cache; @ai-sdk/alibaba 2.0.58; @ai-sdk/openai-compatible 3.0.92',
  date: '2026-11-27',
} as const;

const OPENAI = {
  provider: 'openai.*',
  reads: ['openai'],
  takesKey: true,
  source: 'https://developers.openai.com/api/docs/guides/prompt-caching; @ai-sdk/openai 4.0.118',
  date: '2026-11-27',
} as const;

// From GPT-5.6 on, only what ends at a breakpoint is read again. The provider sets one at the end of a request.
const BREAKPOINT_MARKS = {
  options: { openai: 'promptCacheBreakpoint' },
  places: 'frozen',
  onTools: false,
  hour: false,
  max: 4,
  lookBack: 80,
  minimum: 1_024,
} as const;
const BREAKPOINT = { ...OPENAI, marks: BREAKPOINT_MARKS } as const;

// The Responses model reads the options of Azure, the Chat model those of OpenAI.
const AZURE = { provider: 'azure.responses', reads: ['azure', 'openai'] } as const;
const AZURE_CHAT = { provider: 'azure.chat', reads: ['openai', 'azure'] } as const;
const AZURE_MARKS = {
  marks: { ...BREAKPOINT_MARKS, options: { azure: 'promptCacheBreakpoint' } },
} as const;

// Gemini's `cachedContent` is made by another request, so it is nothing to ask with.
const ITSELF = { model: '*', date: '2026-11-27' } as const;
const GEMINI = {
  ...ITSELF,
  model: '*gemini*',
  source: 'https://ai.google.dev/gemini-api/docs/caching; @ai-sdk/google 4.0.121',
} as const;

const KEY = { model: '*', takesKey: true, date: '2026-11-27' } as const;

/**
 * How each provider is asked for its cache. The first matching row counts. A provider without a row is asked for
 * nothing: it may cache by itself, and it may refuse what it does not know.
 */
export const CACHING: readonly ModelCaching[] = [
  ANTHROPIC,
  { ...CLOUDS, provider: 'googleVertex.anthropic.messages' },
  { ...CLOUDS, provider: 'vertex.anthropic.messages' },
  { ...CLOUDS, provider: 'bedrock.anthropic.messages', reads: ['anthropic', 'bedrock'] },
  // Claude 3 has no cache there, except Claude 3.7.
  { ...CONVERSE, model: '*claude-3-7-*' },
  { ...CONVERSE, model: '*claude-opus-*' },
  { ...CONVERSE, model: '*claude-sonnet-*' },
  { ...CONVERSE, model: '*claude-haiku-*' },
  { ...CONVERSE, model: '*claude-fable-*' },
  { ...CONVERSE, model: '*claude-mythos-*' },
  { ...OPENROUTER, provider: 'openrouter' },
  { ...OPENROUTER, provider: 'openrouter.chat' },
  ALIBABA,
  { ...BREAKPOINT, model: 'gpt-5.6*' },
  { ...BREAKPOINT, model: 'gpt-6*' },
  { ...OPENAI, model: '*' },
  { ...BREAKPOINT, ...AZURE, ...AZURE_MARKS, model: 'gpt-5.6*' },
  { ...BREAKPOINT, ...AZURE, ...AZURE_MARKS, model: 'gpt-6*' },
  { ...OPENAI, ...AZURE, model: '*' },
  { ...BREAKPOINT, ...AZURE_CHAT, model: 'gpt-5.6*' },
  { ...BREAKPOINT, ...AZURE_CHAT, model: 'gpt-6*' },
  { ...OPENAI, ...AZURE_CHAT, model: '*' },
  {
    ...KEY,
    provider: 'mistral.chat',
    reads: ['mistral'],
    source:
      'https://docs.mistral.ai/studio-api/conversations/advanced/prompt-caching; @ai-sdk/mistral 4.0.87',
  },
  {
    ...KEY,
    provider: 'xai.responses',
    reads: ['xai'],
    source: '@ai-sdk/xai 5.0.12, dist/index.d.ts',
  },
  { ...GEMINI, provider: 'google.generative-ai', reads: ['google'] },
  { ...GEMINI, provider: 'google.vertex.chat', reads: ['googleVertex', 'vertex', 'google'] },
  {
    ...ITSELF,
    provider: 'deepseek.chat',
    reads: ['deepseek'],
    source: '@ai-sdk/deepseek 3.0.56',
  },
];
