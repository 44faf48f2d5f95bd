import { isNotePart, readResponseNote } from '../../ai-sdk/metadata/index.ts';
import type { LanguageModelV4StreamPart } from '../../ai-sdk/protocol/index.ts';
import { type AgentContext, foldSettings, frozenOf } from '../context/index.ts';
import { AnswerRecorder, readUsage } from '../log/index.ts';
import type { Turn } from './turn.ts';

/** Records the answers of one generation of the turn. */
export function recorderFor(context: AgentContext, turn: Turn): AnswerRecorder {
  const { log, isReal, sent } = context;
  const recorder: AnswerRecorder = new AnswerRecorder({
    log,
    sent,
    facts: { isReal, schemaOf: (name) => turn.schemaOf(name) },
    refusesCalls: () => Object.keys(turn.tools).length === 0,
    takeKnown: () => turn.takeReplay(),
    onSend: () => {
      turn.isSent = true;
    },
    onFinish: (finish) => keepAnswer(context, turn, recorder, finish),
  });
  return recorder;
}

type FinishPart = Extract<LanguageModelV4StreamPart, { type: 'finish' }>;

/** Writes a complete answer before any of its calls runs, and the state of a new epoch. */
async function keepAnswer(
  context: AgentContext,
  turn: Turn,
  recorder: AnswerRecorder,
  { usage, finishReason: { unified, raw } }: FinishPart,
): Promise<void> {
  const { log, options } = context;
  if (unified === 'error') return;
  await log.append(...recorder.entries({ unified, raw: raw ?? null }, turn.sent));
  turn.isAnswered = true;
  const { messages } = log.state;
  context.use.answered(readUsage(usage), messages.length);
  if (!log.session || !recorder.content.some(beginsEpoch)) return;
  const given = { ...foldSettings(context), ...frozenOf(context) };
  const state = await options.fold.state(options.model, [...messages], given);
  await log.append(['epoch', { state }]);
}

/** Whether a part of an answer is a note that names new frozen bytes. */
function beginsEpoch(part: AnswerRecorder['content'][number]): boolean {
  const note = isNotePart(part) ? readResponseNote(part.providerOptions) : undefined;
  return note?.epoch !== undefined || note?.appended !== undefined;
}
