import { isRecord, type JsonObject, ownProperty } from '../tools/values/index.ts';
import { inputText } from './input-text/index.ts';
import { readPlain } from './read-answer.ts';

/** The input as hooks see it: always an object. */
export function asArguments(input: unknown): JsonObject {
  return (isRecord(input) ? input : { input }) as JsonObject;
}

/** The input for the tool, from the arguments that a hook returned. `before`: the input that the hook saw. */
export function fromArguments(before: unknown, given: JsonObject): unknown {
  const isWrapped = !isRecord(before) && Object.keys(given).length === 1;
  return isWrapped && Object.hasOwn(given, 'input') ? ownProperty(given, 'input') : given;
}

/**
 * A copy of an input that code of the app may change. If a value in them has no exact copy, such as an instance of
 * a class, only the outermost object is copied. An instance of a class itself is not copied.
 */
export function copyOf<T>(input: T): T {
  try {
    const copy = structuredClone(input);
    if (inputText(copy) === inputText(input)) return copy;
  } catch {
    // Functions, for example, cannot be cloned.
  }
  const outer = readPlain(input);
  return outer.kind === 'read' ? (outer.value as T) : input;
}
