import type { FormField, FormValue } from '../../../tools/tool/index.ts';
import type { Choice, Step } from '../../questions/index.ts';

/** Most values that are offered as choices. Of longer lists a line names one. */
const MOST = 20;

const LEFT_OUT: Choice = { id: 'none', label: 'Leave it out' };
const YES_NO: readonly Choice[] = [
  { id: 'yes', label: 'Yes' },
  { id: 'no', label: 'No' },
];

/** A field whose value is one of a few, as choices with a mark. Undefined for fields that need a line. */
export function fieldStep(field: FormField): Step | undefined {
  const { name, title: text = name, type, isRequired } = field;
  if (type !== 'boolean' && type !== 'choice') return;
  if (type === 'choice' && field.choices.length > MOST) return;
  const choices =
    type === 'boolean'
      ? YES_NO
      : field.choices.map(({ title }, at) => ({ id: String(at), label: title }));
  const { default: preset } = field;
  if (preset !== undefined) return { text, choices, marked: idOf(field, preset) };
  return isRequired
    ? { text, choices, marked: type === 'boolean' ? 'no' : '0' }
    : { text, choices: [...choices, LEFT_OUT], marked: LEFT_OUT.id };
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
