import { isPlainJson } from '@toolfold/core/internal/values';
import { asSchema, type Tool as SdkTool } from 'ai';

export type SdkSchema = ReturnType<typeof asSchema>;

const forms = new WeakMap<object, SdkSchema>();

/**
 * The SDK's form of a schema. It is made once for an instance of a class of schemas: zod takes long to write a JSON
 * Schema, and an app may pass the same object to a fold in each request. An app can change the content of a plain object.
 * What the form describes is shared, so a provider gets a copy.
 */
export function sdkSchema(given: SdkTool['inputSchema']): SdkSchema {
  // A function without a standard returns its schema, perhaps another one each time.
  const isKept =
    given !== undefined && given !== null && '~standard' in given && !isPlainJson(given);
  if (!isKept) return asSchema(given);
  const form = forms.get(given) ?? asSchema(given);
  forms.set(given, form);
  return form;
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
