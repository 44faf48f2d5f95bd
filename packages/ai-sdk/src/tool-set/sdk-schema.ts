import { isPlainJson } from '@toolfold/core/internal/values';
import { asSchema, jsonSchema, type Tool as SdkTool, TypeValidationError } from 'ai';

export type SdkSchema = ReturnType<typeof asSchema>;

/**
 * The SDK's forms of the schemas of one fold. A schema is converted once in a fold, and again in the next one: what a
 * schema describes can differ each time, such as a default that a function computes for the user of a request.
 */
export class SdkSchemas {
  readonly #forms = new WeakMap<object, SdkSchema>();

  /** What the form describes is shared, so a provider gets a copy. */
  of(given: SdkTool['inputSchema']): SdkSchema {
    // A function without a standard returns its schema, perhaps another one each time.
    if (given === undefined || given === null || !('~standard' in given)) return asSchema(given);
    const form = this.#forms.get(given) ?? formOf(given);
    this.#forms.set(given, form);
    return form;
  }
}

type StandardSchema = Extract<SdkTool['inputSchema'], { '~standard': unknown }>;

/** The SDK takes a result with issues as valid if it also has a value, which it has with valibot. */
function formOf(given: StandardSchema): SdkSchema {
  const form = asSchema(given);
  const standard = given['~standard'];
  if (standard.vendor === 'zod') return form;
  return jsonSchema(() => form.jsonSchema, {
    validate: async (value) => {
      const result = await standard.validate(value);
      return result.issues
        ? { success: false, error: new TypeValidationError({ value, cause: result }) }
        : { success: true, value: result.value };
    },
  });
}

/** A copy of a JSON Schema. What is no plain data in it stays as it is. */
export function copyOfSchema<T>(schema: T): T {
  return copied(schema) as T;
}

function copied(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(copied);
  if (!isObject(value) || !isPlainJson(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, copied(member)]));
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
