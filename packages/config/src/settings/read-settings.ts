import type { ToolfoldError } from '@toolfold/core/internal/errors.ts';
import type { JsonSchema } from '@toolfold/core/internal/values';
import { toJSONSchema } from 'zod/mini';
import { aKind, type JsonSource, type Node } from '../json-source.ts';
import { didYouMean, quote, shownValue } from '../quote.ts';
import { checkNamed } from './options.ts';
import type { Path, SettingProblem } from './problem.ts';
import { NAMED, settings, type ToolfoldSettings } from './settings.ts';
import { NOT_BLANK } from './values.ts';

/** The key of the block in a file. Messages name settings with this prefix. */
const BLOCK = 'toolfold';

const FILL_IN = 'Fill it in, or leave it out.';

/** Checks the `toolfold` block. Throws `invalid-config` with the position, the value found and the value expected. */
export function readSettings(source: JsonSource, node: Node): ToolfoldSettings {
  const checked = checkNamed(settings, source.value(node));
  if (checked.problem) throw errorAt(source, node, checked.problem);
  return checked.value;
}

function errorAt(source: JsonSource, block: Node, problem: SettingProblem): ToolfoldError {
  const { path, kind, expected, near } = problem;
  const { node, key, isThere } = source.at(block, path);
  const last = String(path.at(-1));
  const around = pathName(path.slice(0, -1));
  if (kind === 'key')
    return source.error(
      key ?? node,
      `Unknown key ${quote(last)} in ${around}.`,
      didYouMean(near, `The keys of ${around} are ${expected}.`),
    );
  if (kind === 'name') {
    const at = key ?? node;
    if (last.trim() === '') return source.error(at, `a name in ${around} is blank.`, FILL_IN);
    const what = `The name ${quote(last)} in ${around} cannot be used.`;
    return source.error(at, what, 'Choose another one.');
  }
  if (!isThere)
    return source.error(node, `${around} lacks ${quote(last)}.`, `Expected there: ${expected}.`);
  const what = kind === 'empty' ? 'empty' : foundText(node);
  if (what === 'blank' && expected === NOT_BLANK)
    return source.error(node, `${pathName(path)} is blank.`, FILL_IN);
  const hint = near === undefined ? '' : ` Did you mean "${near}"?`;
  return source.error(node, `${pathName(path)} is ${what}.`, `Expected ${expected}.${hint}`);
}

/** The path of a setting, such as `toolfold.models."gpt-5".price`. Names that the user chose are quoted. */
function pathName(path: Path): string {
  const isNamed = NAMED.some((key) => key === path[0]);
  const parts = path.map((key, index) => {
    if (typeof key === 'number') return `[${key}]`;
    return `.${isNamed && index === 1 ? quote(String(key)) : String(key)}`;
  });
  return `${BLOCK}${parts.join('')}`;
}

/** Describes a value for a message. Never shows a string that may be secret. */
function foundText(node: Node): string {
  const { type } = node;
  if (type === 'string' && String(node.value).trim() === '') return 'blank';
  const isScalar = type === 'string' || type === 'number' || type === 'boolean';
  const value = isScalar ? shownValue(String(node.value)) : undefined;
  return value === undefined ? aKind(type) : `${type} ${value}`;
}

/** The JSON Schema of a configuration file, for editors. Keys other than `toolfold` belong to the MCP clients. */
export function fileSchema(): JsonSchema {
  const { $schema, ...block } = toJSONSchema(settings, { target: 'draft-7', io: 'input' });
  return {
    $schema,
    title: 'Configuration of Toolfold',
    description: 'MCP servers as your client has them, and the block with settings of Toolfold.',
    type: 'object',
    properties: { toolfold: block },
  };
}
