import { type OutputUnit, type Schema, type SchemaDraft, validate } from '@cfworker/json-schema';
import { errorMessage } from '../../errors.ts';
import { cut, type JsonSchema, visibleText } from '../values/index.ts';
import { type Check, MAX_PROBLEMS } from './check-result.ts';
import { SchemaReader } from './checkable-schema.ts';
import { counted } from './counted-value.ts';
import { BUDGET_SPENT, Meter } from './meter.ts';

/** With arguments nested less deeply than this, endless recursion is the fault of the schema. */
const DEEP = 200;
const TOO_LONG = 'checking these arguments takes too long; such arguments go to the tool unchecked';

const readers = new WeakMap<object, SchemaReader>();

/** Checks values against a JSON Schema, which is read once. See `checkArguments`. */
export function checkBySchema(schema: JsonSchema, value: unknown): Check {
  const reader = readers.get(schema) ?? new SchemaReader(schema, draftOf(schema));
  readers.set(schema, reader);
  return checkJson(reader, value);
}

/** `meter` counts and limits the work. */
export function checkJson(reader: SchemaReader, value: unknown, meter: Meter = new Meter()): Check {
  reader.begin(meter);
  // The validator looks up the targets of references by address.
  const lookup = new Proxy<Record<string, Schema>>(Object.create(null), {
    get: (_, address) => reader.find(String(address)),
  });
  try {
    const root = reader.at(reader.references.root, 0) as Schema;
    const { valid, errors } = validate(counted(value, meter), root, reader.draft, lookup, false);
    const flaw = flawOf(reader);
    const certain = reader.isPartial ? errors.filter(isCertain) : errors;
    return valid || certain.length === 0
      ? { ok: true, value, ...flaw }
      : { ok: false, problems: problems(certain), ...flaw };
  } catch (error) {
    const isDeep = error instanceof RangeError || reader.isTooDeep;
    if (isDeep && isNested(value, DEEP)) return { ok: false, problems: ['nested too deeply'] };
    return { ok: true, value, warning: error === BUDGET_SPENT ? TOO_LONG : unusable(error) };
  }
}

function flawOf({ flaws }: SchemaReader): { readonly warning?: string } {
  const said = (places: ReadonlySet<string>, why: string) =>
    places.size === 0 ? [] : [`${why}: ${cut([...places].slice(0, MAX_PROBLEMS).join(', '), 200)}`];
  const all = [
    ...said(flaws.odd, 'parts of the schema are malformed and not checked'),
    ...said(flaws.costly, 'patterns that may take too long are not checked'),
  ];
  return all.length === 0 ? {} : { warning: all.join('; ') };
}

function isNested(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((member) => isNested(member, levels - 1));
}

function draftOf(schema: JsonSchema): SchemaDraft {
  const declared = String(schema.$schema ?? '');
  if (declared.includes('draft-04')) return '4';
  if (declared.includes('draft-06') || declared.includes('draft-07')) return '7';
  return declared.includes('2019-09') ? '2019-09' : '2020-12';
}

function problems(errors: readonly OutputUnit[]): string[] {
  const leaves = textsOf(errors.filter((unit) => !isSummary(unit)));
  return leaves.length > 0 ? leaves : textsOf(errors);
}

/** Keywords whose errors only report an error below them; and `false`, whose error has no exact place. */
const AROUND = new Set(
  'false $ref properties items prefixItems allOf propertyNames patternProperties'.split(' '),
);
/** Below these keywords, a schema with parts left out may refuse values that the whole schema accepts. */
const MAY_INVERT =
  /\/(?:not|anyOf|oneOf|if|then|else|contains|additional\w+|unevaluated\w+|dependencies)(?:\/|$)/;

/** Whether an error is valid even if parts of the schema are left out. */
function isCertain({ keyword, keywordLocation }: OutputUnit): boolean {
  return !AROUND.has(keyword) && !MAY_INVERT.test(keywordLocation);
}

/** Whether an error only reports an error below it. */
function isSummary({ error }: OutputUnit): boolean {
  return error.startsWith('A subschema had errors') || error.endsWith('does not match schema.');
}

function textsOf(errors: readonly OutputUnit[]): string[] {
  const texts = new Set<string>();
  for (const { instanceLocation, error } of errors) {
    if (texts.size === MAX_PROBLEMS) break;
    const where = instanceLocation.replace(/^#/, '') || '/';
    texts.add(cut(`${visibleText(where, 80)}: ${visibleText(error, 200)}`, 200));
  }
  return [...texts];
}

function unusable(error: unknown): string {
  const [why = ''] = errorMessage(error).split('\n');
  return `the schema cannot be used to check arguments: ${cut(why, 120)}`;
}
