import { type OutputUnit, type SchemaDraft, Validator } from '@cfworker/json-schema';
import { errorMessage } from '../errors.ts';
import { checkable } from './checkable-schema.ts';
import type { JsonSchema } from './json.ts';
import { cut } from './plain-text.ts';
import { standardSide, toJsonSchema } from './schema.ts';
import type { StandardIssue, StandardSchemaV1 } from './standard-schema.ts';
import type { Tool } from './tool.ts';

/** Problems are for the model: where (`/title`) and what, at most five, each at most 200 characters. */
export type Check =
  | { readonly ok: true; readonly value: unknown; readonly warning?: string }
  | { readonly ok: false; readonly problems: readonly string[]; readonly warning?: string };

const MAX_PROBLEMS = 5;
/** Arguments nested less deeply than this cannot be why a check never ends. */
const DEEP = 200;

interface Compiled {
  readonly validator: Validator | undefined;
  /** What of the schema cannot be used. */
  readonly flaw: { readonly warning?: string };
}

const validators = new WeakMap<object, Compiled>();

/**
 * Checks arguments as the tool's own schema says. A Standard Schema may change the value; a JSON
 * Schema may be of any dialect. What is malformed in a schema is not checked, with a warning; one
 * that points outside itself or only to itself lets the arguments through: the tool will judge them.
 * Nothing is ever fetched.
 */
export async function checkArguments(tool: Tool, value: unknown): Promise<Check> {
  const standard = standardSide(tool.inputSchema);
  if (standard) return checkStandard(standard, value);
  const schema = toJsonSchema(tool.name, tool.inputSchema);
  const { validator, flaw } = validators.get(schema) ?? compile(schema);
  if (!validator) return { ok: true, value, ...flaw };
  try {
    const { valid, errors } = validator.validate(value);
    return valid
      ? { ok: true, value, ...flaw }
      : { ok: false, problems: problems(errors), ...flaw };
  } catch (error) {
    if (error instanceof RangeError && isNested(value, DEEP))
      return { ok: false, problems: ['nested too deeply'] };
    return { ok: true, value, warning: unusable(error) };
  }
}

function isNested(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((member) => isNested(member, levels - 1));
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

function compile(schema: JsonSchema): Compiled {
  let compiled: Compiled;
  try {
    // The validator writes marks into the schema it is given, which is the server's own object.
    const odd: string[] = [];
    const draft = draftOf(schema);
    const validator = new Validator(checkable(schema, draft, odd), draft, false);
    const places = cut(odd.slice(0, MAX_PROBLEMS).join(', '), 200);
    const warning = `parts of the schema are malformed and not checked: ${places}`;
    compiled = { validator, flaw: odd.length > 0 ? { warning } : {} };
  } catch (error) {
    compiled = { validator: undefined, flaw: { warning: unusable(error) } };
  }
  validators.set(schema, compiled);
  return compiled;
}

function draftOf(schema: JsonSchema): SchemaDraft {
  const declared = String(schema.$schema ?? '');
  if (declared.includes('draft-04')) return '4';
  if (declared.includes('draft-06') || declared.includes('draft-07')) return '7';
  return declared.includes('2019-09') ? '2019-09' : '2020-12';
}

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
