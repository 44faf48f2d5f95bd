import { errorMessage } from '../errors.ts';
import {
  type CheckResult,
  MAX_PROBLEMS,
  type StandardIssue,
  type StandardSchemaV1,
  type Tool,
} from '../tool/index.ts';
import {
  frozenCopy,
  type JsonSchema,
  onDemand,
  sharedByContent,
  visibleText,
} from '../values/index.ts';
import { standardSide, toJsonSchema } from './schema.ts';

/** Loaded on demand, because tools with a Standard Schema do not need this code and its library. */
const jsonCheck = onDemand(() => import('./json-check.ts'));

/**
 * Checks arguments against the tool's own schema. A Standard Schema may change the value; a JSON
 * Schema may use any dialect. Malformed parts of a schema are not checked, and a warning says so. The
 * arguments pass unchecked if the schema refers outside itself or only to itself, or if the check
 * needs too much work: then the tool must check them. Nothing is ever fetched. Rejects if the code of
 * the check cannot be loaded, and with the signal's reason while it loads.
 */
export async function checkArguments(
  tool: Tool,
  value: unknown,
  signal?: AbortSignal,
): Promise<CheckResult> {
  const standard = standardSide(tool.inputSchema);
  if (standard) return checkStandard(standard, value);
  const schema = toJsonSchema(tool.name, tool.inputSchema);
  // The app may change its object between two checks.
  const fixed = sharedByContent('schema', JSON.stringify(schema), () => frozenCopy(schema));
  return checkByFixed(fixed, value, signal);
}

async function checkByFixed(
  schema: JsonSchema,
  value: unknown,
  signal: AbortSignal | undefined,
): Promise<CheckResult> {
  const { checkBySchema } = await jsonCheck(signal);
  return checkBySchema(schema, value);
}

/** Arguments and their check, perhaps after a repair. `changes`: what was repaired; empty if they are invalid. */
export interface Assessed {
  readonly check: CheckResult;
  readonly input: unknown;
  readonly changes: readonly string[];
}

/**
 * `checkArguments`, after a repair if the arguments are invalid and have exactly one valid reading.
 * `parameters`: the tool's schema as JSON Schema, which never changes. `mayDrop`: whether values that say nothing may be left out.
 */
export async function assessArguments(
  tool: Tool,
  parameters: JsonSchema,
  value: unknown,
  mayDrop: boolean,
  signal?: AbortSignal,
): Promise<Assessed> {
  const standard = standardSide(tool.inputSchema);
  const checked = (given: unknown) =>
    standard ? checkStandard(standard, given) : checkByFixed(parameters, given, signal);
  const check = await checked(value);
  const asWritten = { check, input: value, changes: [] };
  if (check.ok) return asWritten;
  const { repairJson } = await jsonCheck(signal);
  const repair = repairJson(parameters, value, { mayDrop, mayBeBig: tool.takesBigints === true });
  if (!repair) return asWritten;
  const again = await checked(repair.value);
  // A check that leaves something out says less than the one that refused.
  const isAccepted = again.ok && again.warning === check.warning;
  return isAccepted ? { check: again, input: repair.value, changes: repair.changes } : asWritten;
}

async function checkStandard(schema: StandardSchemaV1, value: unknown): Promise<CheckResult> {
  try {
    const result = await schema['~standard'].validate(value);
    return result.issues
      ? { ok: false, problems: result.issues.slice(0, MAX_PROBLEMS).map(standardProblem) }
      : { ok: true, value: result.value };
  } catch (error) {
    // The app's own check or transform threw, so the arguments are not what it expects.
    return { ok: false, problems: [visibleText(`/: ${errorMessage(error)}`, 200)] };
  }
}

function standardProblem(issue: StandardIssue): string {
  const path = (issue.path ?? []).map((step) => String(typeof step === 'object' ? step.key : step));
  return visibleText(`/${path.join('/')}: ${issue.message}`, 200);
}
