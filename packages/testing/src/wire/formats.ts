import { anthropicMessages } from './anthropic/index.ts';
import type { WireFormat } from './format/index.ts';
import { openaiChatCompletions, openaiResponses } from './openai/index.ts';

/** Every provider's format. The end of a request's path tells which one a request has. */
export const wireFormats: readonly WireFormat[] = [
  anthropicMessages,
  openaiResponses,
  openaiChatCompletions,
];
