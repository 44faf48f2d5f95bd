import { type LanguageModel, wrapLanguageModel } from 'ai';
import type { ModelObject } from '../../ai-sdk/model/index.ts';
import { withTakenFiles } from '../../ai-sdk/results/index.ts';
import type { AgentContext } from '../context/index.ts';

/**
 * The model, with a line in the place of each file of the user that it does not take: a conversation goes on with a
 * model that sees less. What is sent follows from the messages and the model alone.
 */
export function takingFiles(
  model: LanguageModel,
  { taken }: Pick<AgentContext, 'taken'>,
): ModelObject {
  if (taken === undefined) return model as ModelObject;
  return wrapLanguageModel({
    model: model as ModelObject,
    middleware: {
      specificationVersion: 'v4',
      transformParams: async ({ params }) => ({
        ...params,
        prompt: withTakenFiles(params.prompt, taken),
      }),
    },
  });
}
