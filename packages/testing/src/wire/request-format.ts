import { isRecord } from '@toolfold/core/internal/values';
import { anthropicMessages } from './anthropic-messages.ts';
import { openaiChatCompletions } from './openai-chat-completions.ts';
import { openaiResponses } from './openai-responses.ts';
import {
  otherEndpointOf,
  recordsOf,
  type WireProvider,
  wireProviderOf,
} from './recorded-request.ts';
import type { WireFormat } from './wire-format.ts';

/** A recorded request before its format is known. Any field may be missing or odd. */
export interface UnreadRequest {
  readonly provider?: unknown;
  readonly url?: unknown;
  readonly body?: unknown;
}

/** The format of a recorded request, or the reason why it cannot be read (it completes "request 2: …"). */
export type RequestFormat =
  | { readonly provider: WireProvider; readonly body: Readonly<Record<string, unknown>> }
  | { readonly unreadable: string };

/** What one request says about its format, without the others of its conversation. */
interface FormatEvidence {
  readonly body: Readonly<Record<string, unknown>>;
  /** The name of the provider as recorded. */
  readonly name: string | undefined;
  /** The formats that the body may have. Empty if it has neither messages nor input. */
  readonly fits: readonly WireProvider[];
  /** The format, if the provider's name is that of a format, or if address or body are clear. */
  readonly certain: WireProvider | undefined;
  /** The format that the provider's name suggests. */
  readonly suggested: WireProvider | undefined;
}

/** Every provider's format. The end of a request's path tells which one a request has. */
export const wireFormats: readonly WireFormat[] = [
  anthropicMessages,
  openaiResponses,
  openaiChatCompletions,
];

const FORMATS: readonly WireProvider[] = wireFormats.map(({ provider }) => provider);

/**
 * The formats of the requests of one conversation. The name of a format (`openai-chat`) decides, then
 * the address, then the body. Some bodies can be in Anthropic's format and in that of Chat
 * Completions. Such a request has the format of the nearest clear one of the same provider, or else the
 * format that its provider's name (`openai`, `azure.chat`, any name) suggests. Without a name it has
 * the format of the requests beside it, or else the one that its model suggests. Never throws.
 */
export function requestFormats(requests: readonly UnreadRequest[]): RequestFormat[] {
  const all = requests.map(evidenceOf);
  const certain = all.map((one) => ('unreadable' in one ? undefined : one.certain));
  const named = all.map((one, index) => {
    if ('unreadable' in one) return undefined;
    return certain[index] ?? nearest(all, certain, index) ?? one.suggested;
  });
  return all.map((one, index) => {
    if ('unreadable' in one) return one;
    const provider = named[index] ?? nearest(all, named, index) ?? formatOfModel(one.body);
    return { provider, body: one.body };
  });
}

function evidenceOf({
  provider,
  url,
  body,
}: UnreadRequest): FormatEvidence | { unreadable: string } {
  if (!isRecord(body)) return { unreadable: 'it has no "body"' };
  const name = typeof provider === 'string' && provider.trim() !== '' ? provider : undefined;
  const address = typeof url === 'string' ? url : '';
  const format = FORMATS.find((known) => known === name?.toLowerCase().trim());
  const other = format === undefined ? otherEndpointOf(address) : undefined;
  if (other !== undefined) {
    return { unreadable: `its "url" is not that of a request for an answer: ${other}` };
  }
  const fits = formatsOfBody(body);
  const isPossible = (given: WireProvider): boolean =>
    fits.length === 0 || listOf(given) === listOf(fits[0]);
  const named = [format, wireProviderOf(address, body)].find(
    (given) => given !== undefined && isPossible(given),
  );
  const suggested = name === undefined ? undefined : formatOfName(name, fits);
  const certain = named ?? (fits.length === 1 ? fits[0] : undefined);
  if (certain === undefined && fits.length === 0) {
    return { unreadable: 'its "body" has no "messages" and no "input"' };
  }
  return { body, name, fits, certain, suggested };
}

/**
 * The format of the nearest request that has one, earlier ones first. For a request with the name of a
 * provider, only those with the same name count.
 */
function nearest(
  all: readonly (FormatEvidence | { unreadable: string })[],
  formats: readonly (WireProvider | undefined)[],
  index: number,
): WireProvider | undefined {
  const own = all[index];
  if (own === undefined || 'unreadable' in own) return undefined;
  const usable = (at: number): boolean => {
    const other = all[at];
    const format = formats[at];
    if (other === undefined || 'unreadable' in other || format === undefined) return false;
    return (own.name ?? other.name) === other.name && own.fits.includes(format);
  };
  const before = formats.findLastIndex((_, at) => at < index && usable(at));
  return formats[before === -1 ? formats.findIndex((_, at) => usable(at)) : before];
}

function listOf(format: WireProvider | undefined): string {
  return format === 'openai-responses' ? 'input' : 'messages';
}

/** The formats that a body may have: one if its content is clear, none if it is no request for an answer. */
function formatsOfBody(body: Readonly<Record<string, unknown>>): readonly WireProvider[] {
  // Bedrock's Converse API has messages too, in another form.
  if (isRecord(body.toolConfig) || isRecord(body.inferenceConfig)) return [];
  if (!Array.isArray(body.messages)) {
    return Array.isArray(body.input) || typeof body.input === 'string' ? ['openai-responses'] : [];
  }
  const isAnthropic = hasMarksOfAnthropic(body);
  if (isAnthropic === hasMarksOfChat(body)) return ['anthropic', 'openai-chat'];
  return [isAnthropic ? 'anthropic' : 'openai-chat'];
}

const ANTHROPIC_BLOCKS = /^(tool_use|tool_result|thinking|redacted_thinking|server_tool_use)$/;

function hasMarksOfAnthropic(body: Readonly<Record<string, unknown>>): boolean {
  return (
    ['system', 'stop_sequences', 'anthropic_version'].some((key) => body[key] != null) ||
    recordsOf(body.tools).some((tool) => isRecord(tool.input_schema)) ||
    recordsOf(body.messages)
      .flatMap(({ content }) => recordsOf(content))
      .some(({ type }) => typeof type === 'string' && ANTHROPIC_BLOCKS.test(type))
  );
}

function hasMarksOfChat(body: Readonly<Record<string, unknown>>): boolean {
  return (
    ['stream_options', 'response_format', 'max_completion_tokens', 'reasoning_effort'].some(
      (key) => body[key] != null,
    ) ||
    recordsOf(body.tools).some((tool) => isRecord(tool.function)) ||
    recordsOf(body.messages).some(
      ({ role, tool_calls, content }) =>
        role === 'tool' ||
        role === 'developer' ||
        // In Anthropic's format a system message is a list of blocks.
        (role === 'system' && typeof content === 'string') ||
        Array.isArray(tool_calls),
    )
  );
}

/** The format that the name of a provider suggests: `anthropic.messages`, `openai`, `azure.responses`, `groq`. */
function formatOfName(name: string, fits: readonly WireProvider[]): WireProvider | undefined {
  const suggested = /anthropic|claude|messages/i.test(name) ? 'anthropic' : 'openai-chat';
  return fits.includes(suggested) ? suggested : undefined;
}

function formatOfModel({ model }: Readonly<Record<string, unknown>>): WireProvider {
  return typeof model === 'string' && /claude/i.test(model) ? 'anthropic' : 'openai-chat';
}
