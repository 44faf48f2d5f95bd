import { frozenCopy, sharedByContent } from '../values/index.ts';
import { fingerprint } from './hash.ts';
import type { ToolAnnotations, ToolDefinition } from './tool.ts';

/**
 * The definition, frozen: the same object for the same JSON, whichever tool and layer it is of. So what is derived from
 * definitions is kept by object. Throws for what is not JSON, or cannot be copied, such as functions.
 */
export function sharedDefinition(definition: ToolDefinition): ToolDefinition {
  return sharedByContent('definition', JSON.stringify(definition), () => frozenCopy(definition));
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
