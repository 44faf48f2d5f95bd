/**
 * A model for which the AI SDK's provider does not enforce a tool choice by name beside other tools: it
 * sends the named tool alone, and the cached prefix is lost.
 */
export interface NarrowedChoice {
  /** Glob for the AI SDK's `provider`, without regard to case. */
  readonly provider: string;
  /** Glob for the AI SDK's `modelId`, without regard to case. */
  readonly model: string;
  /** `always`, or only in requests in which the model thinks or writes JSON of a schema. */
  readonly narrows: 'always' | 'thinking or JSON';
  /** The source of the row: a package and its version. */
  readonly source: string;
  /** Day on which the source was read, YYYY-MM-DD. */
  readonly date: string;
}

const CLAUDE = {
  source: '@ai-sdk/anthropic 4.0.105, forcedToolUse and prepareTools in dist/index.js',
  date: '2026-11-23',
} as const;

/** The first matching row counts. Other models are asked for a tool by its name. */
export const NARROWED_CHOICES: readonly NarrowedChoice[] = [
  { ...CLAUDE, provider: '*', model: '*claude-sonnet-5-5*', narrows: 'always' },
  { ...CLAUDE, provider: '*', model: '*claude-opus-5-5*', narrows: 'always' },
  { ...CLAUDE, provider: '*', model: '*claude-fable-5-1*', narrows: 'always' },
  { ...CLAUDE, provider: '*', model: '*claude-fable-5-2*', narrows: 'always' },
  { ...CLAUDE, provider: '*', model: '*claude-*', narrows: 'thinking or JSON' },
  { ...CLAUDE, provider: '*anthropic*', model: '*', narrows: 'thinking or JSON' },
  {
    provider: 'cohere*',
    model: '*',
    narrows: 'always',
    source: '@ai-sdk/cohere 4.0.52, dist/index.js',
    date: '2026-11-23',
  },
];
