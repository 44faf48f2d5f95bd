import { withTakenFiles } from '@toolfold/ai-sdk/internal/messages';
import { type ModelObject, retrying } from '@toolfold/ai-sdk/internal/response';
import { hidden } from '@toolfold/core/internal/host';
import type { SamplingAnswer, SamplingRequest } from '@toolfold/core/internal/tool';
import { generateText, type LanguageModel, type ModelMessage, wrapLanguageModel } from 'ai';
import { turnError } from '../events/index.ts';
import { Meter, type Usage } from '../log/index.ts';
import type { AgentContext } from './context.ts';

interface SideRequest {
  readonly instructions: string | undefined;
  readonly messages: ModelMessage[];
  readonly signal: AbortSignal | undefined;
  /** Settings of the AI SDK for this request. */
  readonly settings?: Readonly<Record<string, unknown>>;
  /** Receives the usage of the answer. */
  readonly onUsage: (usage: Usage) => void;
}

/** Makes a request without tools. Nothing is kept. Throws as a turn does, and the signal's reason. */
export async function sideRequest(
  context: AgentContext,
  { instructions, messages, signal, settings, onUsage }: SideRequest,
): Promise<{ readonly text: string; readonly finishReason: string }> {
  const { model: identity, price, options } = context;
  const retries = options.settings?.maxRetries;
  // A separate meter is needed because a turn may be running.
  const meter = new Meter(identity, price);
  try {
    return await generateText({
      ...(options.settings as object),
      ...settings,
      maxRetries: 0,
      model: retrying(takingFiles(meter.watch(options.model, { onUsage }), context), { retries }),
      ...(instructions === undefined ? {} : { instructions }),
      messages,
      ...(signal ? { abortSignal: signal } : {}),
    });
  } catch (error) {
    const unpaid = meter.interruptedUsage(!signal?.aborted);
    if (unpaid) onUsage(unpaid);
    if (signal?.aborted) throw error;
    const failure = turnError(error, identity);
    const { hide } = context.log;
    throw hide ? hidden(failure, hide) : failure;
  }
}

/** Answers a request of an MCP server with the model. The texts are untrusted: there are no tools. */
export async function sampleWith(
  context: AgentContext,
  { system, messages, maxTokens, temperature, stopSequences, signal }: SamplingRequest,
): Promise<SamplingAnswer> {
  let tokens = 0;
  const onUsage = (usage: Usage): void => {
    tokens += usage.input + usage.output;
    void context.log.report({ ...usage, kind: 'sampling' });
  };
  const { text, finishReason } = await sideRequest(context, {
    instructions: system,
    messages: messages.map(({ role, text }) => ({ role, content: text })),
    signal,
    settings: {
      maxOutputTokens: maxTokens,
      ...(temperature === undefined ? {} : { temperature }),
      ...(stopSequences === undefined ? {} : { stopSequences: [...stopSequences] }),
    },
    onUsage,
  });
  const stopReason = finishReason === 'length' ? 'maxTokens' : 'endTurn';
  return { text, model: context.model.modelId, stopReason, tokens };
}

/**
 * The model, with a line in the place of each file of the user that it does not take, and of each file that the provider has
 * refused: a conversation goes on with a model that sees less. What is sent follows from the entries and the model alone.
 */
export function takingFiles(
  model: LanguageModel,
  { taken: inMessage, log }: Pick<AgentContext, 'taken' | 'log'>,
): ModelObject {
  return wrapLanguageModel({
    model: model as ModelObject,
    middleware: {
      specificationVersion: 'v4',
      transformParams: async ({ params }) => {
        const { refused } = log.state;
        if (inMessage === undefined && refused.size === 0) return params;
        return { ...params, prompt: withTakenFiles(params.prompt, { inMessage, refused }) };
      },
    },
  });
}
