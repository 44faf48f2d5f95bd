import type { CreateElicitationRequest, PermissionOption } from '@agentclientprotocol/sdk';
import type { Agent, ScreenView, StampedEvent } from '@toolfold/agent/internal/agent';
import type { Entry } from '@toolfold/agent/internal/sessions';
import { errorMessage } from '@toolfold/core/internal/errors.ts';
import { unknownQuestion } from '../../app/asking/index.ts';
import { changeOf, withFileNow } from '../../app/changes/index.ts';
import { isInterrupted } from '../../app/conversations/index.ts';
import {
  type Answer,
  type Ask,
  linesAbove,
  type Question,
  type QuestionedCall,
} from '../../app/questions/index.ts';
import { backticks } from '../../app/shown/index.ts';
import { oneLine } from '../../app/terminal/index.ts';
import { readTranscript } from '../../app/transcript/index.ts';
import { invalidParams } from '../refusals/index.ts';
import { toolCallOf } from '../updates/index.ts';
import type { Decision } from './commands.ts';
import { choiceSchema, formAnswer, formSchema } from './form.ts';
import type { EditorClient } from './host.ts';
import { decisionText, leftCalls } from './left-calls.ts';
import type { Outlet } from './outlet.ts';

/** Where the questions of a session are asked. */
export interface EditorQuestionsOptions {
  readonly id: string;
  readonly client: EditorClient;
  readonly outlet: Outlet;
  /** Waits until the editor has got all that was said before. */
  readonly caughtUp: () => Promise<void>;
  /** The user has cancelled the turn. */
  readonly cancel: () => void;
  /** What was said in the session so far. */
  readonly view: () => Promise<ScreenView>;
}

/** One option of each kind: some editors choose by the kind alone. */
const KINDS: Readonly<Record<string, PermissionOption['kind']>> = {
  once: 'allow_once',
  session: 'allow_always',
  reject: 'reject_once',
};

/** What stands in place of "for this session" where it is offered: no editor has a second question. */
const READS = 'reads-session';

/**
 * The questions of a session in an editor. Some editors pick an option of each permission request by themselves, so
 * only approvals are such requests. About a call whose outcome is unknown the user decides in a form or with a
 * command; without a decision the model reads that nobody knows.
 */
export class EditorQuestions {
  readonly #options: EditorQuestionsOptions;

  constructor(options: EditorQuestionsOptions) {
    this.#options = options;
  }

  readonly ask: Ask = async (question, signal) => {
    await this.#options.caughtUp();
    switch (question.kind) {
      case 'approval':
        return this.#permission(question, signal);
      case 'unknown':
        return this.#decision(question, signal);
      default:
        return formAnswer(await this.#options.client.elicit(this.#form(question), signal));
    }
  };

  /** Says which calls of an opened session are unknown. */
  async announce(entries: readonly Entry[]): Promise<void> {
    if (!isInterrupted(entries)) return;
    for (const call of readTranscript(entries).open)
      if (call.state === 'unknown')
        await this.#options.outlet.say(
          `${remarkOf(unknownQuestion(call))} ${waysFor(call.id)} With any other prompt its outcome stays unknown, unless it is safe to repeat.`,
        );
  }

  /** The turn that follows from a command of the user. Rejects with an invalid parameter for another call. */
  async turn(
    agent: Agent,
    { name: choice, id }: Decision,
    signal: AbortSignal,
  ): Promise<AsyncIterable<StampedEvent>> {
    const open = agent.canResume ? await agent.unknown() : [];
    if (open.some((call) => call.id === id))
      return agent.resume({ signal, unknown: { [id]: { choice } } });
    const left = leftCalls((await this.#options.view()).turns);
    const call = left.get(id)?.at(-1);
    if (call) return agent.send(decisionText(choice, call), { signal });
    const ids = [...open.map((call) => call.id), ...left.keys()];
    const known = ids.length === 0 ? 'There is none.' : `They are: ${ids.join(', ')}.`;
    throw invalidParams(`No call "${oneLine(id, 64)}" has an unknown outcome. ${known}`);
  }

  async #permission(question: Question, signal: AbortSignal): Promise<Answer> {
    const { id: sessionId, client, outlet, cancel } = this.#options;
    const { shown = '', details, choices } = question;
    const call = callOf(question);
    const reads = choices.find(({ id }) => id === 'reads');
    const listed = reads?.confirm?.details?.map((line) => inlineCode(line.trim())) ?? [];
    const text = [...(shown === '' ? [] : [inlineCode(shown)]), ...details, ...listed].join('\n\n');
    const options = choices.flatMap(({ id, label: name }): PermissionOption[] => {
      const kind = KINDS[id];
      if (id === 'session' && reads)
        return [{ optionId: READS, name: `${reads.label} (this session)`, kind: 'allow_always' }];
      return kind ? [{ optionId: id, name, kind }] : [];
    });
    try {
      const change = await withFileNow(changeOf(call.name, call.arguments));
      signal.throwIfAborted();
      const asked = await outlet.subject({ ...call, change }, (id, subject) =>
        toolCallOf(id, subject, text),
      );
      const request = { sessionId, toolCall: asked.toolCall, options };
      const { outcome } = await client.askPermission(request, signal).finally(asked.close);
      if (outcome.outcome !== 'selected') {
        cancel();
        signal.throwIfAborted();
        return { choice: 'reject' };
      }
      return { choice: outcome.optionId };
    } catch (error) {
      signal.throwIfAborted();
      return { choice: 'unasked', text: errorMessage(error) };
    }
  }

  async #decision(question: Question, signal: AbortSignal): Promise<Answer> {
    const { client, outlet } = this.#options;
    const { id = '' } = question.call ?? {};
    let choice: unknown;
    try {
      if (!client.capabilities.elicitation?.form) throw new Error('It shows no forms.');
      const answer = formAnswer(await client.elicit(this.#form(question), signal));
      choice = answer?.content?.outcome;
    } catch {
      signal.throwIfAborted();
      await outlet.say(`${remarkOf(question)} The model reads that nobody knows. ${waysFor(id)}`);
    }
    if (choice === 'again' || choice === 'happened') return { choice };
    return { choice: 'leave' };
  }

  #form(question: Question): CreateElicitationRequest {
    const { id: sessionId, outlet } = this.#options;
    const { kind, fields = [], url, elicitationId = '' } = question;
    const call = callOf(question);
    const toolCallId = kind === 'unknown' || call.path === '' ? outlet.toolCallId(call) : undefined;
    const scope = {
      ...{ sessionId, message: textOf(question) },
      ...(toolCallId === undefined ? {} : { toolCallId }),
    };
    if (url !== undefined) return { mode: 'url', ...scope, url, elicitationId };
    const schema = kind === 'unknown' ? choiceSchema(question) : formSchema(fields);
    return { mode: 'form', ...scope, requestedSchema: schema };
  }
}

function textOf(question: Question): string {
  return linesAbove(question).join('\n');
}

/**
 * The same as one paragraph of Markdown. Markdown would hide parts of the arguments, and in Toad a message whose first chunk
 * has two lines loses one of them.
 */
function remarkOf(question: Question): string {
  const [call = '', ...rest] = linesAbove(question);
  return [inlineCode(call), ...rest].join(' ');
}

function callOf({ call }: Question): QuestionedCall & { readonly path: string } {
  const { id = '', name = '', subagent, arguments: given } = call ?? {};
  return { id, name, arguments: given, path: subagent === undefined ? '' : `${subagent}/` };
}

function waysFor(id: string): string {
  return `If you know that it took effect, send \`/happened ${id}\`. To run it again, send \`/again ${id}\`.`;
}

/** One line as code in Markdown: nothing in it is hidden, and unlike a block of code it wraps. */
export function inlineCode(line: string): string {
  const marks = backticks(line, 1);
  const gap = line.startsWith('`') || line.endsWith('`') ? ' ' : '';
  return `${marks}${gap}${line}${gap}${marks}`;
}
