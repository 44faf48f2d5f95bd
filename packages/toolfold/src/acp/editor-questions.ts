import type {
  CreateElicitationRequest,
  CreateElicitationResponse,
  ElicitationPropertySchema,
  ElicitationSchema,
  PermissionOption,
} from '@agentclientprotocol/sdk';
import type { ScreenTurn, ScreenView } from '@toolfold/agent/internal/events';
import type { Agent, StampedEvent, UnknownCall } from '@toolfold/agent/internal/options';
import type { Entry } from '@toolfold/agent/internal/sessions';
import { INTERRUPTED_MESSAGE } from '@toolfold/agent/internal/state';
import { errorMessage } from '@toolfold/core/internal/errors.ts';
import type { FormField, FormValue } from '@toolfold/core/internal/tool';
import { isRecord } from '@toolfold/core/internal/values';
import { isInterrupted } from '../conversations/index.ts';
import {
  type Answer,
  type Ask,
  type CallAwaitingAnswer,
  linesAbove,
  type Question,
  unknownQuestion,
} from '../questions/index.ts';
import { beginning, changeOf, withFileNow } from '../shown/index.ts';
import { readTranscript } from '../stored-sessions/index.ts';
import { backticks, oneLine } from '../terminal/index.ts';
import { toolCallOf } from './call-cards.ts';
import type { EditorClient, EditorOutlet } from './outlet.ts';
import type { UnknownCallDecision } from './prompt.ts';
import { invalidParams } from './refusals.ts';

/** Where the questions of a session are asked. */
interface EditorQuestionsOptions {
  readonly id: string;
  readonly client: EditorClient;
  readonly outlet: EditorOutlet;
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
    { name: choice, id }: UnknownCallDecision,
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

function callOf({ call }: Question): CallAwaitingAnswer & { readonly path: string } {
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

/** Most characters of a title or a description. */
const MAX_LABEL = 500;

/** The fields of a form as the protocol's schema. */
export function formSchema(fields: readonly FormField[]): ElicitationSchema {
  const required = fields.flatMap(({ name, isRequired }) => (isRequired ? [name] : []));
  return {
    type: 'object',
    properties: Object.fromEntries(fields.map((field) => [field.name, schemaOf(field)])),
    ...(required.length > 0 ? { required } : {}),
  };
}

/** The choices of a question as a form of one field. What stands there already is the marked one. */
function choiceSchema({ text, choices, marked }: Question): ElicitationSchema {
  const oneOf = choices.map(({ id, label }) => ({ const: id, title: label }));
  return {
    type: 'object',
    properties: { outcome: { type: 'string', title: text, default: marked, oneOf } },
  };
}

/** The user's answer. Whether its values fit the fields is checked by the pool, which then asks again. */
export function formAnswer(response: CreateElicitationResponse): Answer | undefined {
  if (response.action === 'decline') return { choice: 'no' };
  if (response.action !== 'accept') return;
  const content: unknown = 'content' in response ? response.content : undefined;
  if (!isRecord(content)) return { choice: 'yes' };
  return { choice: 'yes', content: content as Readonly<Record<string, FormValue>> };
}

function schemaOf(field: FormField): ElicitationPropertySchema {
  const { title, description } = field;
  const labels = {
    ...(title === undefined ? {} : { title: beginning(title, MAX_LABEL) }),
    ...(description === undefined ? {} : { description: beginning(description, MAX_LABEL) }),
    ...('default' in field ? { default: field.default } : {}),
  };
  switch (field.type) {
    case 'text': {
      const { format, minLength, maxLength } = field;
      return { type: 'string', ...labels, ...given({ format, minLength, maxLength }) };
    }
    case 'number':
    case 'integer': {
      const { type, minimum, maximum } = field;
      return { type, ...labels, ...given({ minimum, maximum }) };
    }
    case 'boolean':
      return { type: 'boolean', ...labels };
    case 'choice':
      return { type: 'string', ...labels, oneOf: optionsOf(field) };
    case 'choices': {
      const { minItems, maxItems } = field;
      const items = { anyOf: optionsOf(field) };
      return { type: 'array', ...labels, ...given({ minItems, maxItems }), items };
    }
  }
}

function optionsOf({ choices }: Extract<FormField, { type: 'choice' | 'choices' }>) {
  return choices.map(({ value, title }) => ({
    const: value,
    title: beginning(title, MAX_LABEL),
  }));
}

function given(values: Readonly<Record<string, unknown>>): object {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
}

/**
 * The calls of a session whose outcome nobody knows, by their ids. An endpoint may use an id again. Without those that a later
 * message has decided about: it has `decisionText`.
 */
export function leftCalls(turns: readonly ScreenTurn[]): ReadonlyMap<string, UnknownCall[]> {
  const left = new Map<string, UnknownCall[]>();
  for (const turn of turns) {
    for (const [id, calls] of left)
      if (calls.some((call) => isDecision(turn.user, call))) left.delete(id);
    for (const call of unknownIn([turn])) left.set(call.id, [...(left.get(call.id) ?? []), call]);
  }
  return left;
}

/** The message that tells the model what the user has decided about a call. */
export function decisionText(choice: UnknownCallDecision['name'], call: UnknownCall): string {
  const [shown = ''] = linesAbove(unknownQuestion(call));
  const words =
    choice === 'again'
      ? 'Run this call again, with the same arguments'
      : 'This call has taken effect. Do not run it again';
  return `${words}: ${shown} (${call.id})`;
}

function isDecision(text: string | undefined, call: UnknownCall): boolean {
  return text === decisionText('again', call) || text === decisionText('happened', call);
}

/** Those of subagents included. */
function unknownIn(turns: readonly ScreenTurn[], subagent?: string): readonly UnknownCall[] {
  return turns.flatMap(({ blocks }) =>
    blocks.flatMap((block) => {
      if (block.kind !== 'call') return [];
      const { id, name, arguments: given, status, error, children } = block;
      const path = subagent === undefined ? '' : `${subagent}/`;
      const of = subagent === undefined ? {} : { subagent };
      const call = { id: `${path}${id}`, name, arguments: given, ...of };
      const below = children.flatMap(({ turns, child }) => unknownIn(turns, `${path}${child}`));
      // Entries of earlier versions say only by their text that the user was asked and said nothing.
      const isUnknown = status === 'unknown' || error === INTERRUPTED_MESSAGE;
      return isUnknown ? [call, ...below] : below;
    }),
  );
}
