import type { RequestTokens } from '@toolfold/ai-sdk/internal/request';
import type { ToolLayer } from '@toolfold/core/internal/session';
import { fingerprint } from '@toolfold/core/internal/tool';
import type { JsonSchema } from '@toolfold/core/internal/values';

/** The name of the tool that reads earlier results again. */
export const RECALL = 'recall_result';

/** Characters of one answer, if the call names no limit, and at most. */
export const RECALL_LENGTH = 4_000;
const MAX_RECALL = 20_000;

export const RECALL_SCHEMA: JsonSchema = {
  type: 'object',
  properties: {
    id: {
      type: 'string',
      description: 'The id of the call whose result is read, as its digest names it.',
    },
    offset: {
      type: 'integer',
      minimum: 0,
      description: 'The first character to read. 0 if left out.',
    },
    limit: {
      type: 'integer',
      minimum: 1,
      maximum: MAX_RECALL,
      description: `The most characters to read: ${RECALL_LENGTH} if left out, at most ${MAX_RECALL}.`,
    },
  },
  required: ['id'],
  additionalProperties: false,
};

export const DESCRIPTION: string = [
  'Reads the result of an earlier call of this conversation again, where only a digest of it is left.',
  `Give the id that the digest names. One answer holds up to ${MAX_RECALL} characters; \`left\` says how many follow.`,
].join(' ');

const FINGERPRINT = fingerprint({
  name: RECALL,
  description: DESCRIPTION,
  parameters: RECALL_SCHEMA,
});

/** The layers that were asked. The own tools of a layer do not change. */
const asked = new WeakMap<object, boolean>();

/** Whether a fold has this very tool. A tool of the app with its name is another one. */
export function hasRecall(layer: Pick<ToolLayer, 'fingerprintOf'>): boolean {
  const found = asked.get(layer) ?? layer.fingerprintOf(RECALL) === FINGERPRINT;
  asked.set(layer, found);
  return found;
}

/** Whether new conversations declare the tool: if the fold has it, and other tools whose results can be read. */
export function isRecallDeclared(layer: Pick<ToolLayer, 'fingerprintOf' | 'known'>): boolean {
  const { tools, unnamed } = layer.known();
  return hasRecall(layer) && (unnamed.length > 0 || tools.some(({ name }) => name !== RECALL));
}

/** What a request of a new epoch without tools does not have. */
export function droppableTokens({ inline, bridges, loaded, catalog }: RequestTokens): number {
  return inline + bridges + loaded + catalog;
}

/** All tokens of a request that describe tools: schemas wherever they stand, bridge tools, and the catalog. */
export function toolTokens(tokens: RequestTokens): number {
  const { loaded, later = loaded } = tokens;
  return droppableTokens(tokens) - loaded + later;
}

/** Whether sending the rest of a conversation anew costs less than what its last request held of tools that nobody can call. */
export function isCheaperWithout(tokens: RequestTokens): boolean {
  const dropped = droppableTokens(tokens);
  return tokens.total - dropped < dropped;
}
