import type { FormField, FormValue } from '@toolfold/core/internal/tool';
import { oneLine } from '../terminal/index.ts';
import {
  BACK,
  chosenValue,
  fieldLines,
  fieldQuestion,
  fieldStep,
  labelOf,
  readField,
  valueText,
} from './elicitation.ts';
import {
  type Answer,
  type Ask,
  type AskLine,
  type Choose,
  linesAbove,
  type QuestionStep,
} from './question.ts';

/** A surface that shows one step of a question after the other. */
interface StepSurface {
  /** Shows lines that belong to the question. */
  readonly show: (text: string) => void;
  readonly askLine: AskLine;
  /** Asks with a mark at one of the choices. Left out, the choices are letters of a line. */
  readonly choose?: Choose | undefined;
}

/** Asks in steps: first what to do, then what belongs to the answer. A line that does not fit is asked again. */
export function byStep(surface: StepSurface): Ask {
  const { show, askLine, choose: onScreen } = surface;
  const choose = onScreen ?? byLetter(askLine);

  /** The answer to the second question. Undefined if the user goes back. */
  async function sureOf(confirm: QuestionStep, signal: AbortSignal): Promise<string | undefined> {
    const { details = [], choices } = confirm;
    if (details.length > 0) show(details.join('\n'));
    const chosen = await choose(confirm, signal);
    return choices.find(({ id }) => id === chosen && id !== 'back')?.id;
  }

  return async (question, signal) => {
    const page = question.url === undefined ? [] : [`  ${question.url}`];
    const begin = () => show([...linesAbove(question), ...page].join('\n'));
    begin();
    for (;;) {
      const chosen = await choose(question, signal);
      const choice = question.choices.find(({ id }) => id === chosen);
      if (!choice) return;
      const { id, asks, confirm, shows, line } = choice;
      const isAskedAgain = confirm && (onScreen || line?.isShort);
      if (shows !== undefined) show(shows);
      else if (isAskedAgain) {
        const sure = await sureOf(confirm, signal);
        if (sure !== undefined) return { choice: sure };
        begin();
      } else if (asks !== undefined)
        return { choice: id, text: (await askLine(`${asks} > `, signal)) ?? '' };
      else if (!question.fields || id !== 'yes') return { choice: id };
      else return fillForm(surface, question.fields, signal);
    }
  };
}

/** Choices as letters or words of a line. Any other line asks again: it may be a message, typed when the question came. */
function byLetter(askLine: AskLine): Choose {
  return async ({ text, choices }, signal) => {
    const offered = choices.flatMap(({ id, line }) => (line ? [{ id, ...line }] : []));
    const words = offered.map(({ letters, words }) => `${letters[0]}: ${words}`).join(', ');
    for (;;) {
      const line = await askLine(`${text} ${words} > `, signal);
      if (line === undefined) return;
      const word = line.trim().toLowerCase();
      const said = word === 'yes' || word === 'no' ? word.charAt(0) : word;
      // Two letters, such as those of "in", are too little for an answer.
      const isWordOf = (answer: string) => said.length > 2 && answer.split(/\W+/).includes(said);
      const chosen = offered.find((one) =>
        said.length === 1 ? one.letters.includes(said) : isWordOf(one.words),
      );
      if (chosen) return chosen.id;
    }
  };
}

/** Most characters of a value when all are shown. */
const MAX_VALUE = 4_000;

/** The answers of a form: each field that has a value, or was left out. */
type FormValues = Map<FormField, FormValue | undefined>;

/** What a field was answered with. Undefined: no answer can come. */
type Filled = { readonly value: FormValue | undefined } | typeof BACK | undefined;

/**
 * Asks for the fields of a form, one after the other and back, and then shows all of them: they are sent, changed or not
 * sent. Undefined if no answer can come.
 */
async function fillForm(
  surface: StepSurface,
  fields: readonly FormField[],
  signal: AbortSignal,
): Promise<Answer | undefined> {
  const values: FormValues = new Map();
  for (let at = 0; at < fields.length; ) {
    const field = fields[at] as FormField;
    const filled = await ask(surface, { field, values, canGoBack: at > 0, signal });
    if (filled === undefined) return;
    if (filled !== BACK) values.set(field, filled.value);
    at += filled === BACK ? -1 : 1;
  }
  for (;;) {
    const answer = fields.length === 0 ? 'yes' : await review(surface, fields, values, signal);
    if (answer === undefined) return;
    if (answer === 'no') return { choice: answer };
    if (answer === 'yes') return { choice: answer, content: contentOf(values) };
    const filled = await ask(surface, { field: answer, values, canGoBack: true, signal });
    if (filled === undefined) return;
    if (filled !== BACK) values.set(answer, filled.value);
  }
}

function contentOf(values: FormValues): Readonly<Record<string, FormValue>> {
  const given = [...values].flatMap(([{ name }, value]) =>
    value === undefined ? [] : [[name, value] as const],
  );
  return Object.fromEntries(given);
}

interface FieldContext {
  readonly field: FormField;
  /** What was answered so far. */
  readonly values: FormValues;
  readonly canGoBack: boolean;
  readonly signal: AbortSignal;
}

async function ask(surface: StepSurface, asked: FieldContext): Promise<Filled> {
  const { choose, show } = surface;
  const { field, values, canGoBack, signal } = asked;
  const step = choose && fieldStep(field, canGoBack);
  const before = values.has(field) ? [`  So far: ${shown(field, values)}`] : [];
  if (!step) return typed(surface, [...fieldLines(field), ...before], asked);
  const { description } = field;
  for (const line of [...(description === undefined ? [] : [`  ${description}`]), ...before])
    show(line);
  const id = await choose(step, signal);
  if (id === undefined || id === BACK) return id;
  return { value: chosenValue(field, id) };
}

async function typed(
  { show, askLine, choose }: StepSurface,
  about: readonly string[],
  { field, canGoBack, signal }: FieldContext,
): Promise<Filled> {
  for (const line of about) show(line);
  for (;;) {
    const line = await askLine(fieldQuestion(field, canGoBack), signal);
    if (line === undefined) return;
    if (canGoBack && line.trim() === '<') return BACK;
    const { value, problem } = readField(field, line);
    if (problem === undefined) return { value };
    // A screen shows one step at a time, so what belongs to the field is gone.
    if (choose) for (const line of about) show(line);
    show(`  Not accepted: ${problem}.`);
  }
}

/** Shows all fields, and asks what becomes of them: `yes` and `no`, or the field that is changed. */
async function review(
  { show, askLine, choose }: StepSurface,
  fields: readonly FormField[],
  values: FormValues,
  signal: AbortSignal,
): Promise<'yes' | 'no' | FormField | undefined> {
  const lines = fields.map((field) => `${labelOf(field)}: ${shown(field, values)}`);
  show('Your answers:');
  for (const [at, line] of lines.entries()) show(choose ? `  ${line}` : `  ${at + 1}: ${line}`);
  if (choose) {
    const changes = fields.map((field, at) => ({
      ...{ id: String(at), label: `Change ${labelOf(field)}` },
    }));
    const choices = [
      ...[{ id: 'yes', label: 'Send' }, ...changes],
      { id: 'no', label: 'Decline: send nothing' },
    ];
    const id = await choose({ text: 'Send these answers?', choices, marked: 'yes' }, signal);
    return id === 'yes' || id === 'no' ? id : fields[Number(id)];
  }
  for (;;) {
    const question = 'Send? y: yes, n: no, a number: change this field > ';
    const line = (await askLine(question, signal))?.trim().toLowerCase();
    if (line === undefined) return;
    if (line === 'y' || line === 'yes') return 'yes';
    if (line === 'n' || line === 'no') return 'no';
    const field = /^\d{1,3}$/.test(line) ? fields[Number(line) - 1] : undefined;
    if (field) return field;
  }
}

function shown(field: FormField, values: FormValues): string {
  const value = values.get(field);
  return value === undefined ? '(left out)' : oneLine(valueText(field, value), MAX_VALUE);
}
