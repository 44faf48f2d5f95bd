import type { Delivery } from '@toolfold/core/internal/tools/epoch';
import type { AppendForm } from '@toolfold/core/internal/tools/strategies';
import type { ToolDefinition } from '@toolfold/core/internal/tools/tool';
import type { WireTool } from '../declared-tools/index.ts';
import type {
  LanguageModelV4CallOptions,
  LanguageModelV4Message,
  LanguageModelV4ToolResultOutput,
} from '../protocol/index.ts';

/** A result in the form of a provider's own search, and the remarks that this form has no place for. */
export interface SearchOutput {
  readonly output: LanguageModelV4ToolResultOutput;
  /** A text that follows after the results. */
  readonly remarks?: string;
  /** OpenAI's namespace of these tools, which their calls have to name. */
  readonly namespace?: string;
}

/** A tool result of the loader or of the search. */
export interface LoaderResult {
  /** The name of the bridge on the wire. */
  readonly wireName: string;
  readonly output: LanguageModelV4ToolResultOutput;
  /** The schemas that the result delivered; undefined if there are none. */
  readonly delivery: Delivery | undefined;
}

/** The position at which tools are appended. */
export interface Place {
  /** No tools were appended before this position. */
  readonly isFirst: boolean;
  /** Whether the app wants arguments to stream as they are written. */
  readonly streamsInput: boolean;
}

/** Writes appended tools in the form of one provider, through the options of the AI SDK's provider. */
export interface NativeWriter {
  readonly append: AppendForm;
  /** The messages that append these tools at their position. */
  readonly messages?: (
    tools: readonly ToolDefinition[],
    place: Place,
  ) => readonly LanguageModelV4Message[];
  /** Replaces a result that delivers tools; undefined for a result that is sent unchanged. */
  readonly searchOutput?: (result: LoaderResult) => SearchOutput | undefined;
  /** The declaration of a bridge tool; undefined if it is an ordinary function. */
  readonly bridge?: (tool: ToolDefinition) => WireTool | undefined;
  /** The declaration of a deferred tool, which the model does not see yet. */
  readonly deferred?: (tool: ToolDefinition) => WireTool;
  /** The provider options of every request, from the first on. */
  readonly providerOptions?: (
    given: LanguageModelV4CallOptions['providerOptions'],
  ) => LanguageModelV4CallOptions['providerOptions'];
  /** Unwraps the input of a bridge tool from the input that the provider passes on. */
  readonly bridgeInput?: (name: string, input: string) => string;
}
