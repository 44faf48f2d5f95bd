import { type JsonObject, ownProperties } from '../../tools/values/index.ts';
import type { Mode } from './view.ts';

/** The tool that a call names, by itself or through a bridge. */
export function calledTool({ name, arguments: given }: JsonObject, mode: Mode): string {
  const direct = typeof name === 'string' ? name : '';
  const hasBridges = mode === 'bridge' || mode === 'dispatch';
  if (!hasBridges || !/^(deferred_)?tool_call$/.test(direct)) return direct;
  const { name: meant, tool_name: other = meant } = ownProperties(given);
  return typeof other === 'string' ? other : direct;
}
