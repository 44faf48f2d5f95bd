/**
 * A provider's own way to add tools during a conversation without a change of the prefix:
 * Anthropic's `tool_addition` by value (`anthropic-inline`) or of a deferred tool
 * (`anthropic-reference`), its `tool_reference` in a tool result (`anthropic-search`); OpenAI's
 * `additional_tools` item (`openai-additional`) or client-run tool search (`openai-search`);
 * Kimi's system message that carries `tools` (`system-tools`).
 */
export type NativeForm =
  | 'anthropic-inline'
  | 'anthropic-reference'
  | 'anthropic-search'
  | 'openai-additional'
  | 'openai-search'
  | 'system-tools';

/** The native forms that some models of one provider accept. */
export interface ModelCapability {
  /** Glob for the AI SDK's `provider`, without regard to case: `anthropic.messages`. */
  readonly provider: string;
  /** Glob for the AI SDK's `modelId`, without regard to case: `claude-opus-5*`. */
  readonly model: string;
  /** Best first. Empty: use none. */
  readonly forms: readonly NativeForm[];
  /**
   * The day, YYYY-MM-DD, on which `npm run live` has proven the first form on this model and host. `auto`
   * chooses `native` only then. No row of this table is proven yet.
   */
  readonly proven?: string;
  /** The source of the row: a URL, or a package and its version. */
  readonly source: string;
  /** Day on which the source was read, YYYY-MM-DD. */
  readonly date: string;
}

// Agrees with @langchain/anthropic 1.5.13 and, except for Mythos, with @earendil-works/pi-ai 1.5.2.
// Only Anthropic's own API accepts definitions by value.
const CLAUDE_CHANGES = {
  provider: 'anthropic.messages',
  forms: ['anthropic-inline', 'anthropic-reference', 'anthropic-search'],
  source: 'https://platform.claude.com/docs/en/build-with-claude/mid-conversation-system-messages',
  date: '2026-11-22',
} as const;

// These models are newer than the page above. This page describes how they add tools.
const CLAUDE_BOUND = {
  ...CLAUDE_CHANGES,
  source:
    'https://platform.claude.com/docs/en/build-with-claude/preserved-thinking/change-tools-or-instructions',
} as const;

const CLAUDE_SEARCH = {
  provider: 'anthropic.messages',
  forms: ['anthropic-search'],
  source: '@ai-sdk/anthropic 4.0.105, src/anthropic-model-catalog.ts, toolSearch',
  date: '2026-11-22',
} as const;

// The guide documents tool search from gpt-5.4 on; the library supports `additional_tools`. Nano, pro
// and cyber models have no row, because only one source names them.
const OPENAI = {
  provider: 'openai.responses',
  forms: ['openai-additional', 'openai-search'],
  source: 'https://developers.openai.com/api/docs/guides/tools; @langchain/openai 1.6.3',
  date: '2026-11-22',
} as const;

const AZURE = {
  provider: 'azure.responses',
  forms: ['openai-search'],
  source: 'https://learn.microsoft.com/en-us/azure/foundry/openai/how-to/tool-search',
  date: '2026-11-22',
} as const;

// A host that ignores the field would silently leave the model without the schema, so only hosts that
// are known to read it are listed.
const KIMI = {
  forms: ['system-tools'],
  source: '@earendil-works/pi-ai 1.5.2, supportsMidConvoToolAdditions',
  date: '2026-11-22',
} as const;

/**
 * The native forms of each model. The first matching row counts. A model without a row has none.
 * Gateways have no rows, because only they can say which fields they pass on.
 */
export const CAPABILITIES: readonly ModelCapability[] = [
  { ...CLAUDE_BOUND, model: 'claude-fable-5-2' },
  { ...CLAUDE_BOUND, model: 'claude-mythos-5-2' },
  { ...CLAUDE_CHANGES, model: 'claude-fable-5-1' },
  { ...CLAUDE_CHANGES, model: 'claude-mythos-5-1' },
  { ...CLAUDE_CHANGES, model: 'claude-fable-5' },
  { ...CLAUDE_CHANGES, model: 'claude-mythos-5' },
  { ...CLAUDE_CHANGES, model: 'claude-opus-5-5' },
  { ...CLAUDE_CHANGES, model: 'claude-opus-5' },
  { ...CLAUDE_CHANGES, model: 'claude-opus-4-8' },
  { ...CLAUDE_CHANGES, model: 'claude-sonnet-5-5' },
  { ...CLAUDE_CHANGES, model: 'claude-haiku-5-5' },
  { ...CLAUDE_SEARCH, model: 'claude-sonnet-5' },
  { ...CLAUDE_SEARCH, model: 'claude-opus-4-7' },
  { ...CLAUDE_SEARCH, model: 'claude-opus-4-6' },
  { ...CLAUDE_SEARCH, model: 'claude-opus-4-5' },
  { ...CLAUDE_SEARCH, model: 'claude-opus-4-5-20251101' },
  { ...CLAUDE_SEARCH, model: 'claude-sonnet-4-6' },
  { ...CLAUDE_SEARCH, model: 'claude-sonnet-4-5' },
  { ...CLAUDE_SEARCH, model: 'claude-sonnet-4-5-20250929' },
  { ...CLAUDE_SEARCH, model: 'claude-haiku-4-5' },
  { ...CLAUDE_SEARCH, model: 'claude-haiku-4-5-20251001' },

  { ...OPENAI, model: 'gpt-5.4' },
  { ...OPENAI, model: 'gpt-5.4-20*' },
  { ...OPENAI, model: 'gpt-5.4-mini*' },
  { ...OPENAI, model: 'gpt-5.5' },
  { ...OPENAI, model: 'gpt-5.5-20*' },
  { ...OPENAI, model: 'gpt-5.6' },
  { ...OPENAI, model: 'gpt-5.6-luna*' },
  { ...OPENAI, model: 'gpt-5.6-sol*' },
  { ...OPENAI, model: 'gpt-5.6-terra*' },
  { ...OPENAI, model: 'gpt-6-*' },
  { ...OPENAI, model: 'gpt-6.1-*' },

  { ...AZURE, model: 'gpt-5.4' },
  { ...AZURE, model: 'gpt-5.4-mini*' },
  { ...AZURE, model: 'gpt-5.5' },
  { ...AZURE, model: 'gpt-5.6*' },
  { ...AZURE, model: 'gpt-6*' },

  { ...KIMI, provider: 'moonshot*.chat', model: 'kimi-k3' },
  { ...KIMI, provider: 'moonshot*.chat', model: 'kimi-k3.1-pro*' },
  { ...KIMI, provider: 'fireworks.chat', model: 'accounts/fireworks/*/kimi-k3*' },
];
