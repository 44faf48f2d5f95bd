import type { AskedElicitation } from '@toolfold/agent/internal/events';
import type { ElicitationAnswer, FormField, FormValue } from '@toolfold/core/internal/tool';
import { visibleText } from '@toolfold/core/internal/values';
import { fieldProblem } from '@toolfold/mcp/internal/requests';
import { oneLine } from '../terminal/index.ts';
import {
  type Answer,
  type AnswerChoice,
  askerOf,
  MAX_NAME,
  type Question,
  type QuestionStep,
} from './question.ts';

/** Most characters of what a server says. */
const MAX_MESSAGE = 4_000;

const CHOICES: Question['choices'] = [
  { id: 'yes', label: 'Yes', line: { letters: 'y', words: 'yes' } },
  { id: 'no', label: 'No', line: { letters: 'n', words: 'no' } },
];

/** What is shown of an elicitation. The command `call` has no ids. */
export type ShownElicitation = Omit<AskedElicitation, 'elicitationId' | 'id' | 'signal'> &
  Partial<Pick<AskedElicitation, 'elicitationId' | 'id'>>;

/** What a server asks while its tool runs. Its words are indented: they are not those of Toolfold. */
export function elicitationQuestion(asked: ShownElicitation): Question {
  const { id = '', name, message, fields, url, problems = [], subagent, elicitationId } = asked;
  const server = oneLine(asked.server, MAX_NAME);
  const isPage = url !== undefined;
  return {
    ...{ kind: isPage ? 'page' : 'form', choices: CHOICES, askedBy: 'server', elicitationId },
    subject: `${askerOf(subagent)}The server ${server} asks you while ${oneLine(name, MAX_NAME)} runs:`,
    details: [
      ...visibleText(message, MAX_MESSAGE)
        .split('\n')
        .map((line) => `  ${line}`),
      ...problems.map(
        ({ field, problem }) => `  ${oneLine(field, MAX_NAME)}: ${oneLine(problem, MAX_MESSAGE)}.`,
      ),
      `${isPage ? 'The page was chosen by' : 'Your answers are sent to'} ${server}. Give no passwords or keys.`,
    ],
    text: isPage ? 'Have you opened the page?' : 'Answer?',
    marked: isPage ? 'no' : 'yes',
    call: { id, name, subagent },
    ...(isPage ? { url } : { fields }),
  };
}

/** What the server is told. Without an answer the question is cancelled. */
export function elicitationAnswer(answer: Answer | undefined): ElicitationAnswer {
  if (answer === undefined) return { action: 'cancel' };
  const { choice, content } = answer;
  if (choice !== 'yes') return { action: 'decline' };
  return content === undefined ? { action: 'accept' } : { action: 'accept', content };
}

/** The name of a field in one line: it comes from a server. */
export function labelOf({ name, title = name }: FormField): string {
  return oneLine(title, MAX_NAME);
}

/** The lines before the question for a field: its description and its choices. */
export function fieldLines(field: FormField): readonly string[] {
  const { description } = field;
  const about = description === undefined ? [] : [`  ${description}`];
  if (field.type !== 'choice' && field.type !== 'choices') return about;
  return [...about, ...field.choices.map(({ title }, at) => `  ${at + 1}: ${title}`)];
}

/** The question for a field, such as `Age (a whole number, empty for 36) > `. */
export function fieldQuestion(field: FormField, canGoBack = false): string {
  const shown = defaultText(field);
  const empty =
    shown === undefined ? (field.isRequired ? [] : ['empty to skip']) : [`empty for ${shown}`];
  const kind = kindOf(field);
  const back = canGoBack ? ['< to go back'] : [];
  const hints = [...(kind === '' ? [] : [kind]), ...empty, ...back];
  return `${labelOf(field)}${hints.length === 0 ? '' : ` (${hints.join(', ')})`} > `;
}

/**
 * The value of a line that answers the question for a field: none if it is skipped. `problem`: why it is not accepted.
 */
export function readField(
  field: FormField,
  line: string,
): { readonly value?: FormValue | undefined; readonly problem?: string } {
  const text = line.trim();
  const value = text === '' ? field.default : valueIn(field, text);
  const problem = fieldProblem(field, value);
  return problem === undefined ? { value: value as FormValue | undefined } : { problem };
}

function kindOf(field: FormField): string {
  switch (field.type) {
    case 'text':
      return field.format ?? '';
    case 'number':
    case 'integer': {
      const { minimum, maximum } = field;
      const kind = field.type === 'integer' ? 'a whole number' : 'a number';
      const from = minimum === undefined ? '' : ` from ${minimum}`;
      return `${kind}${from}${maximum === undefined ? '' : ` to ${maximum}`}`;
    }
    case 'boolean':
      return 'y or n';
    case 'choice':
      return 'a number of the list';
    case 'choices':
      return 'numbers of the list, with commas';
  }
}

function defaultText(field: FormField): string | undefined {
  return field.default === undefined ? undefined : valueText(field, field.default);
}

/** A value of a field, as the user knows it. */
export function valueText(field: FormField, value: FormValue): string {
  switch (field.type) {
    case 'boolean':
      return value ? 'y' : 'n';
    case 'choice':
    case 'choices': {
      const values: readonly unknown[] = [value].flat();
      const chosen = field.choices.filter(({ value }) => values.includes(value));
      return chosen.map(({ title }) => title).join(', ') || 'none';
    }
    default:
      return String(value);
  }
}

/** The value of a line. A line that is none is returned as it is, and does not fit the field. */
function valueIn(field: FormField, text: string): unknown {
  switch (field.type) {
    case 'text':
      return text;
    case 'number':
    case 'integer':
      return /^[-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?$/i.test(text) ? Number(text) : text;
    case 'boolean': {
      const letter = text.toLowerCase();
      if (['y', 'yes', 'true'].includes(letter)) return true;
      return ['n', 'no', 'false'].includes(letter) ? false : text;
    }
    case 'choice':
      return chosen(field, text);
    case 'choices':
      return text
        .split(/[\s,]+/)
        .filter((part) => part !== '')
        .map((part) => chosen(field, part));
  }
}

function chosen(
  { choices }: Extract<FormField, { type: 'choice' | 'choices' }>,
  text: string,
): string | undefined {
  const byNumber = /^\d{1,6}$/.test(text) ? choices[Number(text) - 1] : undefined;
  const found = byNumber ?? choices.find(({ value, title }) => value === text || title === text);
  return found?.value ?? '\0';
}

/** Most values that are offered as choices. Of longer lists a line names one. */
const MOST = 20;

const LEFT_OUT: AnswerChoice = { id: 'none', label: 'Leave it out' };
const YES_NO: readonly AnswerChoice[] = [
  { id: 'yes', label: 'Yes' },
  { id: 'no', label: 'No' },
];

/** The choice that goes back to the field before. */
export const BACK = 'back';
const GO_BACK: AnswerChoice = { id: BACK, label: 'Go back' };

/** A field whose value is one of a few, as choices with a mark. Undefined for fields that need a line. */
export function fieldStep(field: FormField, canGoBack = false): QuestionStep | undefined {
  const { type, isRequired } = field;
  if (type !== 'boolean' && type !== 'choice') return;
  if (type === 'choice' && field.choices.length > MOST) return;
  const values =
    type === 'boolean'
      ? YES_NO
      : field.choices.map(({ title }, at) => ({ id: String(at), label: title }));
  const { default: preset } = field;
  const isLeftOut = preset === undefined && !isRequired;
  const first = type === 'boolean' ? 'no' : '0';
  return {
    text: labelOf(field),
    choices: [...values, ...(isLeftOut ? [LEFT_OUT] : []), ...(canGoBack ? [GO_BACK] : [])],
    marked: preset !== undefined ? idOf(field, preset) : isLeftOut ? LEFT_OUT.id : first,
  };
}

/** The value of a choice. Undefined if the field is left out. */
export function chosenValue(field: FormField, id: string): FormValue | undefined {
  if (id === LEFT_OUT.id) return;
  return field.type === 'choice' ? field.choices[Number(id)]?.value : id === 'yes';
}

function idOf(field: FormField, value: unknown): string {
  if (field.type !== 'choice') return value === true ? 'yes' : 'no';
  return String(field.choices.findIndex((choice) => choice.value === value));
}
