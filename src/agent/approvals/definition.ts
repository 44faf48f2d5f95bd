import type { ToolLayer } from '../../tools/index.ts';
import { canonicalJson } from '../../tools/values/index.ts';
import { toolboxOf } from '../conversation/index.ts';

/**
 * A tool as the user sees it, as canonical JSON: name, description and parameters. Undefined if the tool
 * has not loaded or is gone, and for a layer of another copy of this package.
 */
export function definitionIn(
  layer: Pick<ToolLayer, 'bindingOf'>,
  name: string,
): string | undefined {
  const toolbox = toolboxOf(layer);
  const entry = toolbox?.registry.get(name);
  const tool = entry && toolbox?.toolOf(entry);
  return tool && canonicalJson(toolbox?.definitionOf(entry, tool));
}
