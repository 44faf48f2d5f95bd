import type { LanguageModelV4CallOptions, LanguageModelV4Message } from '@ai-sdk/provider';
import { definitionTokens } from '../tools/ledger.ts';
import type { TokenCounter } from '../tools/tool.ts';
import type { Turn } from '../tools/turn.ts';
import type { WireTool } from './wire-tools.ts';

/** Tokens of one request as sent, counted piece by piece: texts, and JSON of schemas and inputs. */
export interface RequestTokens {
  /** Schemas declared by the app and from the start. */
  readonly inline: number;
  readonly bridges: number;
  /** Schemas declared since. */
  readonly loaded: number;
  /** The whole system text. */
  readonly system: number;
  /** Of the system text, the catalog. */
  readonly catalog: number;
  readonly messages: number;
  /** Everything but `catalog`, which `system` contains. */
  readonly total: number;
}

/** Counts a request the way a recorded body can be counted again. */
export function countWireRequest(
  params: LanguageModelV4CallOptions,
  turn: Turn,
  countTokens: TokenCounter,
): RequestTokens {
  const { epoch, presentation } = turn;
  const bridges = new Set(epoch.bridges.map((tool) => tool.name));
  const later = new Set(
    presentation.tools
      .slice(epoch.ownNames.length + epoch.groupTools.length + epoch.bridges.length)
      .map((tool) => tool.name),
  );
  const tools = { inline: 0, bridges: 0, loaded: 0 };
  for (const tool of params.tools ?? []) {
    const kind = bridges.has(tool.name) ? 'bridges' : later.has(tool.name) ? 'loaded' : 'inline';
    tools[kind] += wireToolTokens(tool, countTokens);
  }
  const count = (text: string) => (text === '' ? 0 : countTokens(text));
  let system = 0;
  let messages = 0;
  for (const message of params.prompt) {
    const tokens = textsOf(message).reduce((sum, text) => sum + count(text), 0);
    if (message.role === 'system') system += tokens;
    else messages += tokens;
  }
  const total = tools.inline + tools.bridges + tools.loaded + system + messages;
  return { ...tools, system, catalog: count(presentation.system), messages, total };
}

function wireToolTokens(tool: WireTool, countTokens: TokenCounter): number {
  if (tool.type === 'provider') return countTokens(JSON.stringify({ name: tool.name, args: tool.args }));
  const { name, description, inputSchema: parameters } = tool;
  return definitionTokens({ name, ...(description === undefined ? {} : { description }), parameters }, countTokens);
}

/** The texts of a message: what people and models wrote, names and inputs of calls, results. */
function textsOf(message: LanguageModelV4Message): string[] {
  if (message.role === 'system') return [message.content];
  return message.content.flatMap((part): string[] => {
    switch (part.type) {
      case 'text':
      case 'reasoning':
        return [part.text];
      case 'tool-call':
        return [part.toolName, JSON.stringify(part.input)];
      case 'tool-result':
        return resultTexts(part.output);
      default:
        return [];
    }
  });
}

function resultTexts(output: Extract<LanguageModelV4Message, { role: 'tool' }>['content'][number] extends infer Part ? Part extends { output: infer O } ? O : never : never): string[] {
  switch (output.type) {
    case 'text':
    case 'error-text':
      return [output.value];
    case 'json':
    case 'error-json':
      return [JSON.stringify(output.value)];
    case 'content':
      return output.value.flatMap((part) => (part.type === 'text' ? [part.text] : []));
    default:
      return [];
  }
}
