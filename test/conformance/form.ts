import type {
  ElicitationAnswer,
  ElicitationRequest,
  FormField,
  FormValue,
} from '../../packages/core/src/tool/call-host.ts';

/** Accepts a form as it is shown: fields with a default stay as they are, the others get a value. */
export async function acceptForm({ fields }: ElicitationRequest): Promise<ElicitationAnswer> {
  return {
    action: 'accept',
    content: Object.fromEntries(
      fields.map((field) => [field.name, field.default ?? valueFor(field)]),
    ),
  };
}

function valueFor(field: FormField): FormValue {
  switch (field.type) {
    case 'text':
      return 'sample';
    case 'number':
    case 'integer':
      return field.minimum ?? 7;
    case 'boolean':
      return true;
    case 'choice':
      return field.choices[0]?.value ?? '';
    case 'choices':
      return field.choices.slice(0, field.minItems ?? 1).map(({ value }) => value);
  }
}
