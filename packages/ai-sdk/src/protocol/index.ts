export {
  checkWireTools,
  fixInputStreaming,
  streamsInput,
  stubTokens,
  toWireTools,
  type WireTool,
  withStub,
} from './declared-tools.ts';
export type {
  JSONObject,
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4Content,
  LanguageModelV4CustomContent,
  LanguageModelV4FinishReason,
  LanguageModelV4GenerateResult,
  LanguageModelV4Message,
  LanguageModelV4Middleware,
  LanguageModelV4Prompt,
  LanguageModelV4StreamPart,
  LanguageModelV4StreamResult,
  LanguageModelV4ToolCall,
  LanguageModelV4ToolCallPart,
  LanguageModelV4ToolResult,
  LanguageModelV4ToolResultOutput,
  LanguageModelV4ToolResultPart,
  LanguageModelV4Usage,
  SharedV4FileData,
  SharedV4ProviderMetadata,
  SharedV4ProviderOptions,
} from './language-model.ts';
export { type NativeWriter, Placing } from './native-form.ts';
export { addedBy, addedCounter, searchToolOf, WRITERS, writerOf } from './native-forms.ts';
export { searchArguments } from './native-openai.ts';
