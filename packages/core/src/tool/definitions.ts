import { errorMessage, ToolfoldError } from '../errors.ts';
import { frozenCopy, isTooDeep, MAX_NESTING, oneLine, sharedByContent } from '../values/index.ts';
import { fingerprint } from './hash.ts';
import type { ToolAnnotations, ToolDefinition } from './tool.ts';

/**
 * The definition, frozen: the same object for the same JSON, whichever tool and layer it is of. So what is derived from
 * definitions is kept by object. Throws `invalid-schema` for what is not JSON, cannot be copied, or is nested too deeply.
 */
export function sharedDefinition(definition: ToolDefinition): ToolDefinition {
  try {
    return sharedByContent('definition', JSON.stringify(definition), () => {
      if (isTooDeep(definition.parameters))
        throw new RangeError(`it is nested more than ${MAX_NESTING} levels deep`);
      return frozenCopy(definition);
    });
  } catch (error) {
    throw invalidSchema(definition.name, error);
  }
}

/** The error for a schema that cannot be read, and why. */
export function invalidSchema(toolName: string, why: unknown): ToolfoldError {
  return new ToolfoldError(
    'invalid-schema',
    `The input schema of tool "${oneLine(toolName, 80)}" has no JSON Schema: ${oneLine(errorMessage(why), 300)}.`,
    'Use only types that JSON has, without cycles; `$ref` describes a recursive type.',
    why,
  );
}

/** With the annotations as JSON. */
const fingerprints = new WeakMap<
  ToolDefinition,
  readonly [annotations: string | undefined, fingerprint: string]
>();

/** A hash of a tool's definition and annotations: others are another tool. */
export function definitionFingerprint(
  definition: ToolDefinition,
  annotations: ToolAnnotations | undefined,
): string {
  const json = JSON.stringify(annotations);
  const known = fingerprints.get(definition);
  if (known && known[0] === json) return known[1];
  const made = fingerprint(annotations ? { ...definition, annotations } : definition);
  fingerprints.set(definition, [json, made]);
  return made;
}
