import { fileTokens, ownProperties, ownProperty } from '@toolfold/core/internal/values';
import {
  type LanguageModelV4CallOptions,
  type LanguageModelV4Message,
  type LanguageModelV4ToolResultOutput,
  searchToolOf,
} from '../protocol/index.ts';

/** The SDK's text for a denial without a reason, as its UI route sends it. */
export const DENIED = 'Tool call execution denied.';

export interface SentTo {
  readonly provider: string;
  readonly modelId: string;
}

/** The properties of a request that decide the wire form of its messages. */
export interface ApiTraits {
  readonly provider: string;
  /** The API stores its answers, and requests refer to them by id. */
  readonly isStored: boolean;
  /** The model reasons: a stored text is referred to only together with its reasoning. */
  readonly reasons: boolean;
  /** The name of OpenAI's own search. */
  readonly search: string | undefined;
}

/** Models whose stored texts need their reasoning (`@ai-sdk/openai` 4.0.118, model catalog). */
const REASONING = /^(o\d|gpt-([5-9]|\d\d)(?!-chat))/;

/** The sender of a request. */
export function senderOf(
  { providerOptions, tools }: LanguageModelV4CallOptions,
  { provider, modelId }: SentTo,
): ApiTraits {
  return {
    provider,
    isStored: ownProperty(ownProperty(providerOptions, 'openai'), 'store') !== false,
    reasons: REASONING.test(modelId),
    search: searchToolOf(tools),
  };
}

/**
 * The texts of a message in the provider's request body: texts of user and model, names and inputs of
 * calls, results (one text for each part). Files are counted by `fileTokensOf`.
 */
export function textsOf(message: LanguageModelV4Message, sender: ApiTraits): string[] {
  const { provider, search } = sender;
  switch (message.role) {
    case 'system':
      return [message.content];
    case 'user':
      return message.content.flatMap((part) => (part.type === 'text' ? [part.text] : []));
    case 'tool':
      return message.content.map((part) =>
        // `addedCounter` counts the definitions in an output of the search.
        part.type === 'tool-result' && part.toolName !== search
          ? resultText(part.output, provider)
          : '',
      );
    case 'assistant': {
      const firstThought = message.content.findIndex((part) => part.type === 'reasoning');
      const sent = message.content.filter((part, index) => {
        const isAlone = sender.reasons && (firstThought < 0 || index < firstThought);
        return !isLeftOut(part, sender, isAlone);
      });
      const text = sent.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('');
      // OpenAI's Chat Completions does not send reasoning.
      const reasoning = /^openai\.chat/.test(provider)
        ? []
        : sent.flatMap((part) => (part.type === 'reasoning' ? [part.text] : []));
      const calls = sent.flatMap((part) =>
        part.type === 'tool-call'
          ? part.toolName === search
            ? // The provider sends this call without the wrapper around its arguments.
              ['tool_search', JSON.stringify(ownProperty(part.input, 'arguments') ?? null)]
            : [part.toolName, JSON.stringify(part.input ?? null)]
          : [],
      );
      return [...reasoning, text, ...calls];
    }
  }
}

/** The tokens of the files in a message: one number for each part if it holds results, else one. */
export function fileTokensOf(message: LanguageModelV4Message, { provider }: ApiTraits): number[] {
  if (message.role === 'tool')
    return message.content.map((part) => {
      if (part.type !== 'tool-result' || part.output.type !== 'content') return 0;
      return writesJson(provider) ? 0 : tokensOfFiles(part.output.value);
    });
  return [typeof message.content === 'string' ? 0 : tokensOfFiles(message.content)];
}

function tokensOfFiles(parts: readonly { readonly type: string }[]): number {
  return parts.reduce((sum, part) => {
    if (part.type !== 'file') return sum;
    const { data, mediaType } = ownProperties(part);
    const bytes = ownProperty(data, 'data');
    const known = typeof bytes === 'string' || bytes instanceof Uint8Array ? bytes : undefined;
    return sum + fileTokens(String(mediaType), known);
  }, 0);
}

/**
 * Whether the provider's package writes the parts of a result as JSON, the data of files too; see the rows of
 * `@toolfold/core/models` about files of results.
 */
function writesJson(provider: string): boolean {
  return /\.chat$/.test(provider) && !/^(google|openrouter)\b/.test(provider);
}

type AssistantPart = Extract<LanguageModelV4Message, { role: 'assistant' }>['content'][number];

/**
 * Whether the body does not contain the part. The Responses API stores the output of the model, so
 * requests contain only its id. With `store: false` they contain texts, and only encrypted reasoning.
 */
function isLeftOut(
  part: AssistantPart,
  { provider, isStored, search }: ApiTraits,
  isAlone: boolean,
): boolean {
  if (!provider.endsWith('.responses')) return false;
  if (!isStored) {
    const encrypted = ownProperty(
      ownProperty(part.providerOptions, 'openai'),
      'reasoningEncryptedContent',
    );
    return part.type === 'reasoning' && typeof encrypted !== 'string';
  }
  if (part.type === 'text' && isAlone) return false;
  const isSearch = part.type === 'tool-call' && part.toolName === search;
  if (part.type !== 'text' && part.type !== 'reasoning' && !isSearch) return false;
  return typeof part.providerOptions?.openai?.itemId === 'string';
}

function resultText(output: LanguageModelV4ToolResultOutput, provider: string): string {
  switch (output.type) {
    case 'text':
      return output.value;
    case 'json':
      return JSON.stringify(output.value);
    case 'error-text':
    case 'error-json':
      // OpenAI's own providers send an error as JSON. Other providers send its text.
      if (/^(openai|azure)\b/.test(provider)) return JSON.stringify({ error: output.value });
      return output.type === 'error-text' ? output.value : JSON.stringify(output.value);
    case 'execution-denied':
      return output.reason ?? DENIED;
    case 'content':
      if (writesJson(provider)) return JSON.stringify(output.value);
      return output.value.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('');
  }
}
