import { generateText, type LanguageModel, type ModelMessage } from 'ai';
import type { TokenPrice } from '../../config/index.ts';
import type { ModelIdentity } from '../../models/index.ts';
import type { SamplingAnswer, SamplingRequest } from '../../tools/tool/index.ts';
import { turnError } from '../events/index.ts';
import { Meter, type Usage } from '../log/index.ts';

/** The model of a request beside the conversation, and who counts its usage. */
export interface SideModel {
  readonly model: LanguageModel;
  readonly identity: ModelIdentity;
  readonly price: TokenPrice | undefined;
  /** Settings of the AI SDK. */
  readonly settings: Readonly<Record<string, unknown>> | undefined;
  readonly onUsage: (usage: Usage) => void;
}

interface SideRequest {
  readonly instructions: string | undefined;
  readonly messages: ModelMessage[];
  readonly signal: AbortSignal | undefined;
  /** Settings of the AI SDK for this request. */
  readonly settings?: Readonly<Record<string, unknown>>;
}

/** Makes a request without tools. Nothing is kept. Throws as a turn does, and the signal's reason. */
export async function sideRequest(
  { model, identity, price, settings, onUsage }: SideModel,
  { instructions, messages, signal, settings: more }: SideRequest,
): Promise<{ readonly text: string; readonly finishReason: string }> {
  // A separate meter is needed because a turn may be running.
  const meter = new Meter(identity, price);
  try {
    return await generateText({
      ...settings,
      ...more,
      model: meter.watch(model, { onUsage }),
      ...(instructions === undefined ? {} : { instructions }),
      messages,
      ...(signal ? { abortSignal: signal } : {}),
    });
  } catch (error) {
    const unpaid = meter.interruptedUsage(!signal?.aborted);
    if (unpaid) onUsage(unpaid);
    throw signal?.aborted ? error : turnError(error, identity);
  }
}

/** Answers a request of an MCP server with the model. The texts are untrusted: there are no tools. */
export async function sampleWith(
  side: SideModel,
  { system, messages, maxTokens, temperature, stopSequences, signal }: SamplingRequest,
): Promise<SamplingAnswer> {
  let tokens = 0;
  const onUsage = (usage: Usage): void => {
    tokens += usage.input + usage.output;
    side.onUsage({ ...usage, kind: 'sampling' });
  };
  const { text, finishReason } = await sideRequest(
    { ...side, onUsage },
    {
      instructions: system,
      messages: messages.map(({ role, text }) => ({ role, content: text })),
      signal,
      settings: {
        maxOutputTokens: maxTokens,
        ...(temperature === undefined ? {} : { temperature }),
        ...(stopSequences === undefined ? {} : { stopSequences: [...stopSequences] }),
      },
    },
  );
  const stopReason = finishReason === 'length' ? 'maxTokens' : 'endTurn';
  return { text, model: side.identity.modelId, stopReason, tokens };
}
