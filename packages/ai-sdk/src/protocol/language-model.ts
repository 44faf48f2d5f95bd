/**
 * The types of the AI SDK's protocol between itself and providers, under the SDK's own names. They are
 * derived from what `ai` exports. The package `@ai-sdk/provider`, which defines them, belongs to `ai`:
 * where packages see only their own dependencies, Toolfold's declarations could not import it.
 */
import type { JSONValue, LanguageModelMiddleware, wrapLanguageModel } from 'ai';

type Hook<NAME extends keyof LanguageModelMiddleware> = NonNullable<LanguageModelMiddleware[NAME]>;
type OfType<PART extends { type: string }, TYPE extends PART['type']> = Extract<
  PART,
  { type: TYPE }
>;

export type LanguageModelV4 = ReturnType<typeof wrapLanguageModel>;
export type LanguageModelV4Middleware = LanguageModelMiddleware;
export type LanguageModelV4CallOptions = Parameters<Hook<'transformParams'>>[0]['params'];
export type LanguageModelV4GenerateResult = Awaited<ReturnType<Hook<'wrapGenerate'>>>;
export type LanguageModelV4Content = LanguageModelV4GenerateResult['content'][number];
export type LanguageModelV4CustomContent = OfType<LanguageModelV4Content, 'custom'>;
export type LanguageModelV4ToolCall = OfType<LanguageModelV4Content, 'tool-call'>;
export type LanguageModelV4ToolResult = OfType<LanguageModelV4Content, 'tool-result'>;
export type LanguageModelV4FinishReason = LanguageModelV4GenerateResult['finishReason'];
export type LanguageModelV4Usage = LanguageModelV4GenerateResult['usage'];
export type SharedV4ProviderMetadata = NonNullable<
  LanguageModelV4GenerateResult['providerMetadata']
>;

export type LanguageModelV4StreamResult = Awaited<ReturnType<Hook<'wrapStream'>>>;
export type LanguageModelV4StreamPart =
  LanguageModelV4StreamResult['stream'] extends ReadableStream<infer PART> ? PART : never;

type WireTools = NonNullable<LanguageModelV4CallOptions['tools']>[number];
export type LanguageModelV4FunctionTool = OfType<WireTools, 'function'>;
export type LanguageModelV4ProviderTool = OfType<WireTools, 'provider'>;

export type LanguageModelV4Prompt = LanguageModelV4CallOptions['prompt'];
export type LanguageModelV4Message = LanguageModelV4Prompt[number];
type AssistantPart = Extract<LanguageModelV4Message, { role: 'assistant' }>['content'][number];
export type LanguageModelV4ToolCallPart = OfType<AssistantPart, 'tool-call'>;
export type LanguageModelV4ToolResultPart = OfType<AssistantPart, 'tool-result'>;
export type LanguageModelV4ToolResultOutput = LanguageModelV4ToolResultPart['output'];

type OutputPart = OfType<LanguageModelV4ToolResultOutput, 'content'>['value'][number];
export type SharedV4FileData = OfType<OutputPart, 'file'>['data'];
export type SharedV4ProviderOptions = NonNullable<LanguageModelV4CallOptions['providerOptions']>;
export type JSONObject = Extract<JSONValue, { [key: string]: JSONValue | undefined }>;
