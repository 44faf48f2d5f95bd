import { errorMessage } from '../errors.ts';
import { type CheckResult, MAX_PROBLEMS } from '../tool/index.ts';
import { type JsonSchema, truncate, visibleText } from '../values/index.ts';
import { CheckableSchema } from './checkable-schema.ts';
import type { Draft } from './members.ts';
import { type Repair, type RepairOptions, repairBySchema } from './repair.ts';
import { type ArgumentProblem, BUDGET_SPENT, CheckState, Spot } from './run.ts';

/** With arguments nested less deeply than this, endless recursion is the fault of the schema. */
const DEEP = 200;
/** Characters of a problem that are read to shorten it. */
const MAX_TEXT = 800;
const FLAWS = {
  odd: 'parts of the schema are malformed and not checked',
  costly: 'patterns that may take too long are not checked',
};
const TOO_LONG = 'checking these arguments takes too long; such arguments go to the tool unchecked';

const known = new WeakMap<object, CheckableSchema>();

/** Checks values against a JSON Schema, which is read once and never changes. See `checkArguments`. */
export function checkBySchema(schema: JsonSchema, value: unknown): CheckResult {
  return checkJson(checkableOf(schema), value);
}

/** Repairs arguments that a JSON Schema refuses. See `repairBySchema`. */
export function repairJson(
  schema: JsonSchema,
  value: unknown,
  may: RepairOptions,
): Repair | undefined {
  return repairBySchema(checkableOf(schema), value, may);
}

function checkableOf(schema: JsonSchema): CheckableSchema {
  const checkable = known.get(schema) ?? new CheckableSchema(schema, draftOf(schema));
  known.set(schema, checkable);
  return checkable;
}

/** `run` counts and limits the work. */
export function checkJson(
  schema: CheckableSchema,
  value: unknown,
  run: CheckState = new CheckState(),
): CheckResult {
  try {
    const isValid = schema.visit(new Spot(run, value));
    const certain = run.isPartial
      ? run.problems.filter(({ isCertain }) => isCertain)
      : run.problems;
    return isValid || certain.length === 0
      ? { ok: true, value, ...flawOf(schema) }
      : { ok: false, problems: textsOf(certain), ...flawOf(schema) };
  } catch (error) {
    const isDeep = error instanceof RangeError || run.isTooDeep;
    if (isDeep && isNested(value, DEEP)) return { ok: false, problems: ['nested too deeply'] };
    return { ok: true, value, warning: error === BUDGET_SPENT ? TOO_LONG : unusable(error) };
  }
}

function flawOf({ flaws }: CheckableSchema): { readonly warning?: string } {
  const said = (['odd', 'costly'] as const).flatMap((kind) => {
    const places = [...flaws[kind]].slice(0, MAX_PROBLEMS).join(', ');
    return places === '' ? [] : [`${FLAWS[kind]}: ${truncate(places, 200)}`];
  });
  return said.length === 0 ? {} : { warning: said.join('; ') };
}

function isNested(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((member) => isNested(member, levels - 1));
}

function draftOf(schema: JsonSchema): Draft {
  const declared = String(schema.$schema ?? '');
  if (declared.includes('draft-04')) return '4';
  if (declared.includes('draft-06') || declared.includes('draft-07')) return '7';
  return declared.includes('2019-09') ? '2019-09' : '2020-12';
}

/** The texts of the first problems. Problems that read the same count once. */
function textsOf(problems: readonly ArgumentProblem[]): string[] {
  const seen = new Set<string>();
  const texts = new Set<string>();
  for (const { spot, text } of problems) {
    if (texts.size === MAX_PROBLEMS) break;
    const [where, what] = [spot.pointer || '/', text.slice(0, MAX_TEXT)];
    if (seen.has(`${where}: ${what}`)) continue;
    seen.add(`${where}: ${what}`);
    texts.add(truncate(`${visibleText(where, 80)}: ${visibleText(what, 200)}`, 200));
  }
  return [...texts];
}

function unusable(error: unknown): string {
  const [why = ''] = errorMessage(error).split('\n');
  return `the schema cannot be used to check arguments: ${truncate(why, 120)}`;
}
