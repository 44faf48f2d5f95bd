/**
 * A model that refuses a message of the user behind the results of tools: its chat template, or the check of its
 * provider, wants an answer between them. Many of them refuse two messages of the user in a row as well.
 */
export interface StrictTurns {
  /** Glob for the AI SDK's `provider`, without regard to case. */
  readonly provider: string;
  /** Glob for the AI SDK's `modelId`, without regard to case. */
  readonly model: string;
  /** The source of the row: a URL. */
  readonly source: string;
  /** Day on which the source was read, YYYY-MM-DD. */
  readonly date: string;
}

/** "Unexpected role 'user' after role 'tool'": behind `tool` only `assistant` and `tool` may come. vLLM checks so too. */
const CHECKED = {
  source:
    'https://github.com/mistralai/mistral-common/blob/main/src/mistral_common/protocol/instruct/validator.py',
  date: '2026-11-28',
} as const;

/** "conversation roles must alternate", without results and answers that call tools: then two users are in a row. */
const ALTERNATING = {
  source:
    'https://github.com/ggml-org/llama.cpp/blob/master/models/templates/mistralai-Mistral-Small-3.1-24B-Instruct-2503.jinja',
  date: '2026-11-28',
} as const;

/**
 * The first matching row counts. Other models take such a message, also Gemma 4, whose template checks no order
 * (llama.cpp `models/templates/gemma4.jinja`).
 */
export const STRICT_TURNS: readonly StrictTurns[] = [
  { ...CHECKED, provider: 'mistral*', model: '*' },
  // Those that Mistral serves, by any provider, and the local ones, whose templates say the same in other words.
  ...['codestral', 'pixtral', 'voxtral', 'mixtral'].map((name) => ({
    ...CHECKED,
    provider: '*',
    model: `*${name}*`,
  })),
  { ...ALTERNATING, provider: '*', model: '*mistral*' },
  // Devstral Small 2 on llama.cpp.
  {
    ...{ provider: '*', model: '*devstral*', date: '2026-11-28' },
    source: 'https://github.com/eclipse-theia/theia/issues/17104',
  },
  // Ministral 3 on llama.cpp.
  {
    ...{ provider: '*', model: '*ministral*', date: '2026-11-28' },
    source: 'https://github.com/magnitudedev/magnitude/issues/84',
  },
  { ...CHECKED, provider: '*', model: '*magistral*' },
  // Its own template knows no results at all; the one for tools leaves them out and wants the others to alternate.
  ...['gemma2', 'gemma-2', 'gemma3', 'gemma-3'].map((name) => ({
    ...{ provider: '*', model: `*${name}*`, date: '2026-11-28' },
    source: 'https://github.com/vllm-project/vllm/pull/17149',
  })),
];
