import type {
  CreateElicitationResponse,
  ElicitationPropertySchema,
  ElicitationSchema,
} from '@agentclientprotocol/sdk';
import type { FormField, FormValue } from '@toolfold/core/internal/tools/tool';
import { isRecord } from '@toolfold/core/internal/tools/values';
import type { Answer, Question } from '../../app/questions/index.ts';
import { beginning } from '../../app/shown/index.ts';

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
export function choiceSchema({ text, choices, marked }: Question): ElicitationSchema {
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
