import { type OutputUnit, type SchemaDraft, Validator } from '@cfworker/json-schema';
import { errorMessage } from '../errors.ts';
import { isHazardous } from './hazardous-pattern.ts';
import { isRecord, type JsonSchema } from './json.ts';
import { cut } from './plain-text.ts';
import { standardSide, toJsonSchema } from './schema.ts';
import type { StandardIssue, StandardSchemaV1 } from './standard-schema.ts';
import type { Tool } from './tool.ts';

/** Problems are for the model: where (`/title`) and what, at most five, each at most 200 characters. */
export type Check =
  | { readonly ok: true; readonly value: unknown; readonly warning?: string }
  | { readonly ok: false; readonly problems: readonly string[] };

const MAX_PROBLEMS = 5;
const validators = new WeakMap<object, Validator | string>();

/**
 * Checks arguments as the tool's own schema says. A Standard Schema may change the value; a JSON
 * Schema may be of any dialect. A malformed schema, or one that points outside itself, lets the
 * arguments through with a warning: the tool will judge them. Nothing is ever fetched.
 */
export async function checkArguments(tool: Tool, value: unknown): Promise<Check> {
  const standard = standardSide(tool.inputSchema);
  if (standard) return checkStandard(standard, value);
  const schema = toJsonSchema(tool.name, tool.inputSchema);
  const validator = validators.get(schema) ?? compile(schema);
  if (typeof validator === 'string') return { ok: true, value, warning: validator };
  try {
    const { valid, errors } = validator.validate(value);
    return valid ? { ok: true, value } : { ok: false, problems: problems(errors) };
  } catch (error) {
    if (error instanceof RangeError) return { ok: false, problems: ['nested too deeply'] };
    return { ok: true, value, warning: unusable(error) };
  }
}

async function checkStandard(schema: StandardSchemaV1, value: unknown): Promise<Check> {
  try {
    const result = await schema['~standard'].validate(value);
    return result.issues
      ? { ok: false, problems: result.issues.slice(0, MAX_PROBLEMS).map(standardProblem) }
      : { ok: true, value: result.value };
  } catch (error) {
    // The app's own check or transform broke on these arguments: they are not what it expects.
    return { ok: false, problems: [cut(`/: ${errorMessage(error)}`, 200)] };
  }
}

function compile(schema: JsonSchema): Validator | string {
  let validator: Validator | string;
  try {
    // The validator writes marks into the schema it is given, which is the server's own object.
    validator = new Validator(prepare(schema) as object, draftOf(schema), false);
  } catch (error) {
    validator = unusable(error);
  }
  validators.set(schema, validator);
  return validator;
}

function draftOf(schema: JsonSchema): SchemaDraft {
  const declared = String(schema.$schema ?? '');
  if (declared.includes('draft-04')) return '4';
  if (declared.includes('draft-06') || declared.includes('draft-07')) return '7';
  return declared.includes('2019-09') ? '2019-09' : '2020-12';
}

/**
 * A copy to validate with. `format` is left out, as 2020-12 makes it an annotation; so are patterns
 * that can take exponential time, since a server's pattern must not hang its host; OpenAPI's
 * `nullable` is honoured.
 */
function prepare(value: unknown, isNames = false): unknown {
  if (Array.isArray(value)) return value.map((item) => prepare(item));
  if (!isRecord(value)) return value;
  const entries: [string, unknown][] = [];
  for (const [key, member] of Object.entries(value)) {
    if (!isNames) {
      if (key === 'format' && typeof member === 'string') continue;
      if (key === 'pattern' && isHazardous(member)) continue;
      if (key === 'patternProperties' && isRecord(member)) {
        const safe = Object.entries(member).filter(([pattern]) => !isHazardous(pattern));
        entries.push([key, prepare(Object.fromEntries(safe), true)]);
        continue;
      }
      if (LITERAL.has(key)) {
        const literal = structuredClone(member);
        const allowsNull = key === 'enum' && value.nullable === true && Array.isArray(literal);
        entries.push([key, allowsNull ? [...literal, null] : literal]);
        continue;
      }
      if (key === 'type' && value.nullable === true && typeof member === 'string') {
        entries.push([key, [member, 'null']]);
        continue;
      }
    }
    entries.push([key, prepare(member, !isNames && NAME_MAPS.has(key))]);
  }
  return Object.fromEntries(entries);
}

const LITERAL = new Set(['enum', 'const', 'default', 'examples', 'required']);
const NAME_MAPS = new Set(['properties', '$defs', 'definitions', 'dependentSchemas']);

function problems(errors: readonly OutputUnit[]): string[] {
  const leaves = errors.filter(
    (unit) => !/^A subschema had errors|does not match schema\.$/.test(unit.error),
  );
  const texts = (leaves.length > 0 ? leaves : errors).map((unit) => {
    const where = unit.instanceLocation.replace(/^#/, '') || '/';
    return cut(`${cut(where, 80)}: ${unit.error}`, 200);
  });
  return [...new Set(texts)].slice(0, MAX_PROBLEMS);
}

function standardProblem(issue: StandardIssue): string {
  const path = (issue.path ?? []).map((step) => String(typeof step === 'object' ? step.key : step));
  return cut(`/${path.join('/')}: ${issue.message}`, 200);
}

function unusable(error: unknown): string {
  const [why = ''] = errorMessage(error).split('\n');
  return `the schema cannot be used to check arguments: ${cut(why, 120)}`;
}
