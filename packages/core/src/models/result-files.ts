/**
 * Which files a provider takes in a conversation, by media type: from tools, and from the user. Its package of the
 * AI SDK writes all other files as text, drops them, or throws.
 */
export interface ResultFiles {
  /** Glob for the AI SDK's `provider`, without regard to case: `anthropic.messages`. */
  readonly provider: string;
  /** Glob for the AI SDK's `modelId`, without regard to case: `*claude*`. */
  readonly model: string;
  /** Media types that a result may hold. */
  readonly inResult: readonly string[];
  /** Media types that a message of the user may hold, which then stands behind the results. */
  readonly inMessage: readonly string[];
  /** The source of the row: a URL, or a package and its version. */
  readonly source: string;
  /** Day on which the source was read, YYYY-MM-DD. */
  readonly date: string;
}

/** The kinds of images that a model reads which reads any. */
export const IMAGES = ['image/png', 'image/jpeg', 'image/gif', 'image/webp'] as const;
const PDF = 'application/pdf';
const NONE: readonly string[] = [];

// Both in the package and in the documentation (vision, PDF support): `tool_result` takes `image` and
// `document` blocks. Other models behind the same package have no row, because nobody says that they see.
const CLAUDE = {
  model: '*claude*',
  inResult: [...IMAGES, PDF],
  inMessage: [...IMAGES, PDF],
  source: '@ai-sdk/anthropic 4.0.105, convert-to-anthropic-prompt.ts',
  date: '2026-11-28',
} as const;

// `function_call_output` takes `input_image` and `input_file`.
const RESPONSES = {
  inResult: [...IMAGES, PDF],
  inMessage: [...IMAGES, PDF],
  source: '@ai-sdk/openai 4.0.118, convertFunctionToolResultOutput in dist/index.js',
  date: '2026-11-28',
} as const;

// A message of the role `tool` takes text only: the package writes the parts of a result as JSON.
const CHAT = {
  inResult: NONE,
  inMessage: [...IMAGES, PDF],
  source: '@ai-sdk/openai 4.0.118, convertToOpenAIChatMessages in dist/index.js',
  date: '2026-11-28',
} as const;

// As OpenAI's, unless the app has set `supportsMultiPartToolContent`, which nobody can see from outside.
const COMPATIBLE = {
  inResult: NONE,
  source: '@ai-sdk/openai-compatible 3.0.92, convert-to-openai-compatible-chat-messages.ts',
  date: '2026-11-28',
} as const;

// For Gemini 3 the package writes files into `functionResponse`, for earlier models beside it. Gemini reads
// no GIF.
const GEMINI_TYPES = ['image/png', 'image/jpeg', 'image/webp', PDF];
const GEMINI = {
  provider: 'google.*',
  model: '*gemini-*',
  inResult: GEMINI_TYPES,
  inMessage: GEMINI_TYPES,
  source: '@ai-sdk/google 4.0.121, convert-to-google-messages.ts',
  date: '2026-11-28',
} as const;

// The package passes the parts of a result on, but nothing says which hosts behind it take images there.
const OPENROUTER = {
  provider: 'openrouter*',
  inResult: NONE,
  inMessage: IMAGES,
  source: '@openrouter/ai-sdk-provider 3.1.0, mapToolResultContentParts in dist/index.js',
  date: '2026-11-28',
} as const;

const BEDROCK = {
  provider: 'amazon-bedrock',
  inResult: [...IMAGES, PDF],
  inMessage: [...IMAGES, PDF],
  source: '@ai-sdk/amazon-bedrock 5.0.101, convert-to-amazon-bedrock-chat-messages.ts',
  date: '2026-11-28',
} as const;

const XAI = {
  model: 'grok-4*',
  inMessage: ['image/png', 'image/jpeg'],
  source: '@ai-sdk/xai 4.0.59, convert-to-xai-responses-input.ts, convert-to-xai-chat-messages.ts',
  date: '2026-11-28',
} as const;

/** OpenAI's models that read images and PDFs: https://developers.openai.com/api/docs/guides/images-vision */
const SEEING = ['gpt-4o*', 'gpt-4.1*', 'gpt-5*', 'gpt-6*', 'o1', 'o1-20*', 'o3', 'o3-20*', 'o4-*'];

/** Names of models with open weights that say that the model sees. */
const NAMED = ['*-vl*', '*qwen*vl*', '*llava*', '*pixtral*', '*-vision*', '*minicpm-v*'];

/** The first matching row counts. A model without a row gets a line in the place of each file. */
export const RESULT_FILES: readonly ResultFiles[] = [
  { ...CLAUDE, provider: '*anthropic*' },
  { ...CLAUDE, provider: 'gateway', source: '@ai-sdk/gateway 4.0.146, sends the prompt as it is' },
  ...SEEING.flatMap((model) => [
    { ...RESPONSES, provider: 'openai.responses', model },
    { ...RESPONSES, provider: 'azure.responses', model },
    { ...CHAT, provider: 'openai.chat', model },
    { ...CHAT, provider: 'azure.chat', model },
  ]),
  GEMINI,
  { ...OPENROUTER, model: 'anthropic/claude*' },
  { ...OPENROUTER, model: 'google/gemini*' },
  ...SEEING.map((model) => ({ ...OPENROUTER, model: `openai/${model}` })),
  { ...BEDROCK, model: '*claude*' },
  { ...XAI, provider: 'xai.responses', inResult: ['image/png', 'image/jpeg'] },
  { ...XAI, provider: 'xai.chat', inResult: NONE },
  ...NAMED.map((model) => ({ ...COMPATIBLE, provider: '*.chat', model, inMessage: IMAGES })),
  { ...COMPATIBLE, provider: '*.chat', model: '*', inMessage: NONE },
];
