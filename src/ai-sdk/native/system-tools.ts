import type { JSONObject } from '@ai-sdk/provider';
import type { ToolDefinition } from '../../tools/tool/index.ts';
import type { NativeWriter } from './writer.ts';

/**
 * A system message with a `tools` field and no content, as Kimi takes it. The AI SDK's provider for
 * OpenAI-compatible endpoints spreads what stands under `openaiCompatible` over the message, content
 * included; its provider for Moonshot has an option of its own.
 */
export const systemTools: NativeWriter = {
  append: { id: 'system-tools', declares: 'nothing', anywhere: true },
  messages: (definitions) => {
    const tools = definitions.map(asFunction);
    // `undefined` is left out of the body, which the type of options does not foresee.
    const spread = { content: undefined, tools } as unknown as JSONObject;
    const providerOptions = { openaiCompatible: spread, moonshotai: { tools } };
    return [{ role: 'system', content: '', providerOptions }];
  },
};

function asFunction({ name, description, parameters }: ToolDefinition): JSONObject {
  const described = description === undefined ? { name } : { name, description };
  return { type: 'function', function: { ...described, parameters: parameters as JSONObject } };
}
