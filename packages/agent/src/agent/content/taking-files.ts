import type { ModelObject } from '@toolfold/ai-sdk/internal/model';
import { withTakenFiles } from '@toolfold/ai-sdk/internal/results';
import { type LanguageModel, wrapLanguageModel } from 'ai';
import type { AgentContext } from '../context/index.ts';

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
