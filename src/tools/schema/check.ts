import { errorMessage } from '../../errors.ts';
import type { StandardIssue, StandardSchemaV1, Tool } from '../tool/index.ts';
import { onDemand, visibleText } from '../values/index.ts';
import { type Check, MAX_PROBLEMS } from './check-result.ts';
import { standardSide, toJsonSchema } from './schema.ts';

/** Most of the code, and its library: nobody needs it whose tools have schemas that check by themselves. */
const jsonCheck = onDemand(() => import('./json-check.ts'));

/**
 * Checks arguments as the tool's own schema says. A Standard Schema may change the value; a JSON
 * Schema may be of any dialect. What is malformed in a schema is not checked, with a warning; one
 * that points outside itself or only to itself lets the arguments through, as does one that takes
 * more work than a check may: the tool will judge them. Nothing is ever fetched. Rejects where the
 * code of the check cannot be loaded, and with the signal's reason while that loads.
 */
export async function checkArguments(
  tool: Tool,
  value: unknown,
  signal?: AbortSignal,
): Promise<Check> {
  const standard = standardSide(tool.inputSchema);
  if (standard) return checkStandard(standard, value);
  const { checkBySchema } = await jsonCheck(signal);
  return checkBySchema(toJsonSchema(tool.name, tool.inputSchema), value);
}

async function checkStandard(schema: StandardSchemaV1, value: unknown): Promise<Check> {
  try {
    const result = await schema['~standard'].validate(value);
    return result.issues
      ? { ok: false, problems: result.issues.slice(0, MAX_PROBLEMS).map(standardProblem) }
      : { ok: true, value: result.value };
  } catch (error) {
    // The app's own check or transform broke on these arguments: they are not what it expects.
    return { ok: false, problems: [visibleText(`/: ${errorMessage(error)}`, 200)] };
  }
}

function standardProblem(issue: StandardIssue): string {
  const path = (issue.path ?? []).map((step) => String(typeof step === 'object' ? step.key : step));
  return visibleText(`/${path.join('/')}: ${issue.message}`, 200);
}
