import type { ToolRequest } from '../../tools/calls/index.ts';
import { definitionTokens } from '../../tools/tokens/index.ts';
import type { TokenCounter } from '../../tools/tool/index.ts';
import { isRecord, ownProperty } from '../../tools/values/index.ts';
import type { WireTool } from '../declared-tools/index.ts';
import { addedTokens, searchToolOf } from '../native/index.ts';
import type {
  LanguageModelV4CallOptions,
  LanguageModelV4Message,
  LanguageModelV4ToolResultOutput,
} from '../protocol/index.ts';
import type { PartTokens, SegmentLabel } from './facts/index.ts';
import { DENIED } from './wire-results.ts';

/** Tokens of one request as it is sent. Each text and the JSON of each schema and input is counted on its own. */
export interface RequestTokens {
  /** Schemas of the app's tools and of tools that are declared from the start. */
  readonly inline: number;
  /** Schemas of the bridge tools. */
  readonly bridges: number;
  /** Schemas that were loaded later. */
  readonly loaded: number;
  /** The whole system text. */
  readonly system: number;
  /** The part of the system text that is the catalog. */
  readonly catalog: number;
  readonly messages: number;
  /** The sum of `inline`, `bridges`, `loaded`, `system` and `messages`. `system` contains the catalog. */
  readonly total: number;
  /**
   * What the request would have with the schemas of all tools declared from the start, without a catalog and
   * without bridge tools. A schema that has not loaded counts as what its group reports, or as a typical one.
   * Absent in entries of sessions that an earlier version has written.
   */
  readonly eager?: number;
}

/** The tokens of a request, and of its parts. */
export interface CountedRequest {
  readonly tokens: RequestTokens;
  readonly parts: PartTokens;
}

const FIELDS = {
  'inline-tools': 'inline',
  'bridge-tools': 'bridges',
  'loaded-schemas': 'loaded',
} as const;

/**
 * Counts a request in such a way that a recorded body gives the same count. `declared`: the name of a tool that
 * this request declares because its call is forced.
 */
export function countWireRequest(
  params: LanguageModelV4CallOptions,
  turn: ToolRequest,
  model: SentTo,
  countTokens: TokenCounter,
  declared?: string,
): CountedRequest {
  const { epoch, presentation } = turn;
  const bridges = new Set(epoch.bridges.map((tool) => tool.name));
  const later = new Set(
    presentation.tools
      .slice(epoch.ownNames.length + epoch.groupTools.length + epoch.bridges.length)
      .map((tool) => tool.name),
  );
  if (declared !== undefined) later.add(declared);
  const fields = { inline: 0, bridges: 0, loaded: 0 };
  const tools = (params.tools ?? []).map((tool): { label: SegmentLabel; tokens: number } => {
    if (isDeferred(tool)) return { label: 'deferred-tools', tokens: 0 };
    const isLater = later.has(tool.name) ? 'loaded-schemas' : 'inline-tools';
    const label = bridges.has(tool.name) ? 'bridge-tools' : isLater;
    const tokens = wireToolTokens(tool, countTokens);
    fields[FIELDS[label]] += tokens;
    return { label, tokens };
  });
  const added = addedTokens(params, countTokens);
  fields.loaded += sum(added.flat());
  const texts = messageTokens(params, model, countTokens);
  const { system, messages } = sumsOf(params, texts);
  const catalog = presentation.system === '' ? 0 : countTokens(presentation.system);
  const total = fields.inline + fields.bridges + fields.loaded + system + messages;
  const all = texts.map((counts, index) =>
    counts.map((count, at) => count + (added[index]?.[at] ?? 0)),
  );
  return {
    tokens: { ...fields, system, catalog, messages, total },
    parts: { tools, messages: all, catalog },
  };
}

/** Counts a request without tools in the same way. */
export function countPlainRequest(
  params: LanguageModelV4CallOptions,
  model: SentTo,
  countTokens: TokenCounter,
): CountedRequest {
  const counts = messageTokens(params, model, countTokens);
  const { system, messages } = sumsOf(params, counts);
  const total = system + messages;
  const none = { inline: 0, bridges: 0, loaded: 0, catalog: 0 };
  return {
    tokens: { ...none, system, messages, total, eager: total },
    parts: { tools: [], messages: counts, catalog: 0 },
  };
}

/** Counts the texts of a prompt in the form of the provider's request body. */
export function countPrompt(
  params: LanguageModelV4CallOptions,
  model: SentTo,
  countTokens: TokenCounter,
): Pick<RequestTokens, 'system' | 'messages'> {
  return sumsOf(params, messageTokens(params, model, countTokens));
}

/** The tokens of each message of the prompt: of its parts if it holds results, else one number. */
function messageTokens(
  params: LanguageModelV4CallOptions,
  { provider, modelId }: SentTo,
  countTokens: TokenCounter,
): number[][] {
  const sender: Sender = {
    provider,
    isStored: ownProperty(ownProperty(params.providerOptions, 'openai'), 'store') !== false,
    reasons: REASONING.test(modelId),
    search: searchToolOf(params.tools),
  };
  const count = (text: string) => (text === '' ? 0 : countTokens(text));
  return params.prompt.map((message) => {
    const counts = textsOf(message, sender).map(count);
    return message.role === 'tool' ? counts : [sum(counts)];
  });
}

function sumsOf(
  { prompt }: LanguageModelV4CallOptions,
  counts: readonly (readonly number[])[],
): Pick<RequestTokens, 'system' | 'messages'> {
  const sums = { system: 0, messages: 0 };
  prompt.forEach(({ role }, index) => {
    sums[role === 'system' ? 'system' : 'messages'] += sum(counts[index] ?? []);
  });
  return sums;
}

function sum(counts: readonly number[]): number {
  return counts.reduce((all, count) => all + count, 0);
}

interface SentTo {
  readonly provider: string;
  readonly modelId: string;
}

/** The properties of a request that decide the wire form of its messages. */
interface Sender {
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

/** Whether the tool is declared as deferred: the model does not see it before a message refers to it. */
export function isDeferred(tool: WireTool): boolean {
  const options = tool.type === 'function' ? tool.providerOptions : undefined;
  return options !== undefined && ownProperty(options.anthropic, 'deferLoading') === true;
}

function wireToolTokens(tool: WireTool, countTokens: TokenCounter): number {
  if (tool.type === 'provider') {
    const { description, parameters } = tool.args;
    if (tool.id !== 'openai.tool_search' || !isRecord(parameters))
      return countTokens(JSON.stringify({ name: tool.name, args: tool.args }));
    const definition = { name: 'tool_search', description: String(description), parameters };
    return definitionTokens(definition, countTokens);
  }
  const { name, description, inputSchema: parameters } = tool;
  return definitionTokens(
    { name, ...(description === undefined ? {} : { description }), parameters },
    countTokens,
  );
}

/**
 * The texts of a message in the provider's request body: texts of user and model, names and inputs of
 * calls, results (one text for each part). Files are not counted.
 */
function textsOf(message: LanguageModelV4Message, sender: Sender): string[] {
  const { provider, search } = sender;
  switch (message.role) {
    case 'system':
      return [message.content];
    case 'user':
      return message.content.flatMap((part) => (part.type === 'text' ? [part.text] : []));
    case 'tool':
      return message.content.map((part) =>
        // `addedTokens` counts the definitions in an output of the search.
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

type AssistantPart = Extract<LanguageModelV4Message, { role: 'assistant' }>['content'][number];

/**
 * Whether the body does not contain the part. The Responses API stores the output of the model, so
 * requests contain only its id. With `store: false` they contain texts, and only encrypted reasoning.
 */
function isLeftOut(
  part: AssistantPart,
  { provider, isStored, search }: Sender,
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
      return output.value.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('');
  }
}
