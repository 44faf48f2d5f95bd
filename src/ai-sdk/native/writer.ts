import type {
  LanguageModelV4CallOptions,
  LanguageModelV4Message,
  LanguageModelV4ToolResultOutput,
} from '@ai-sdk/provider';
import type { Delivery } from '../../tools/epoch/index.ts';
import type { AppendForm } from '../../tools/strategies/index.ts';
import type { ToolDefinition } from '../../tools/tool/index.ts';
import type { WireTool } from '../wire/index.ts';

/** A result as a provider's own search is answered, and what of it has no place there. */
export interface SearchOutput {
  readonly output: LanguageModelV4ToolResultOutput;
  /** Said behind the results. */
  readonly beside?: string;
  /** OpenAI's namespace of these tools: calls of them have to name it. */
  readonly namespace?: string;
}

/** A tool result that the loader, or the search, gave. */
export interface LoaderResult {
  /** The name of the bridge on the wire. */
  readonly wireName: string;
  readonly output: LanguageModelV4ToolResultOutput;
  /** What it brought; undefined where it brought no schemas. */
  readonly delivery: Delivery | undefined;
}

/** Where tools are added. */
export interface Place {
  /** None were added before. */
  readonly isFirst: boolean;
  /** Whether the app wants arguments to stream as they are written. */
  readonly streamsInput: boolean;
}

/** How one provider is told of tools in mid-conversation, in terms of the AI SDK's provider for it. */
export interface NativeWriter {
  readonly append: AppendForm;
  /** Messages that add these tools where they stand. */
  readonly messages?: (
    tools: readonly ToolDefinition[],
    place: Place,
  ) => readonly LanguageModelV4Message[];
  /** What stands for a result that brings tools; undefined for results that are sent as they are. */
  readonly searchOutput?: (result: LoaderResult) => SearchOutput | undefined;
  /** A bridge tool as it is declared; undefined where it is a function like any other. */
  readonly bridge?: (tool: ToolDefinition) => WireTool | undefined;
  /** A tool that is declared out of the model's sight. */
  readonly unseen?: (tool: ToolDefinition) => WireTool;
  /** What every request asks of the provider, from the first on. */
  readonly providerOptions?: (
    given: LanguageModelV4CallOptions['providerOptions'],
  ) => LanguageModelV4CallOptions['providerOptions'];
  /** The bridge's own input, in what the provider hands on as the input of a call. */
  readonly bridgeInput?: (name: string, input: string) => string;
}
