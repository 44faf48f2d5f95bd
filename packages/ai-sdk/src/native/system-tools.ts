import type { ToolDefinition } from '@toolfold/core/internal/tools/tool';
import type { JSONObject } from '../protocol/index.ts';
import type { NativeWriter } from './writer.ts';

/**
 * A system message with a `tools` field and no content, the form of Kimi. The AI SDK's provider for
 * OpenAI-compatible endpoints spreads the options under `openaiCompatible` over the message, including
 * `content`. Its provider for Moonshot has a separate option.
 */
export const systemTools: NativeWriter = {
  append: { id: 'system-tools', declares: 'nothing', anywhere: true },
  messages: (definitions) => {
    const tools = definitions.map(asFunction);
    // The body leaves out `undefined`, but the type of the options does not allow it.
    const spread = { content: undefined, tools } as unknown as JSONObject;
    const providerOptions = { openaiCompatible: spread, moonshotai: { tools } };
    return [{ role: 'system', content: '', providerOptions }];
  },
};

function asFunction({ name, description, parameters }: ToolDefinition): JSONObject {
  const described = description === undefined ? { name } : { name, description };
  return { type: 'function', function: { ...described, parameters: parameters as JSONObject } };
}
