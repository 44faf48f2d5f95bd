import { contextOf } from '../../tools/epoch/index.ts';
import type { ToolLayer } from '../../tools/index.ts';

type Toolbox = ReturnType<typeof contextOf>['toolbox'];

/** The toolbox of a layer; undefined for a layer of another copy of this package. */
export function toolboxOf(layer: Pick<ToolLayer, 'bindingOf'>): Toolbox | undefined {
  try {
    return contextOf(layer).toolbox;
  } catch {
    return undefined;
  }
}
