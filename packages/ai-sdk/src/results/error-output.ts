import { KEY } from '@toolfold/core/internal/host';
import { listIn, ownProperty } from '@toolfold/core/internal/tools/values';

/** An output of a result, for a tool or for the wire. */
interface AnyOutput {
  readonly type: string;
  readonly value?: unknown;
}

const MARK = { [KEY]: { isError: true } };

/** Marks a file as part of a result that is an error: the SDK has no error with files. */
export function asErrorFile<PART extends { readonly type: string }>(part: PART): PART {
  return part.type === 'file' ? { ...part, providerOptions: MARK } : part;
}

/** Whether an output is an error, also one with files. */
export function isErrorOutput(output: AnyOutput): boolean {
  const { type } = output;
  if (type === 'content') return listIn(output, 'value').some(isErrorFile);
  return type === 'error-text' || type === 'error-json' || type === 'execution-denied';
}

function isErrorFile(part: unknown): boolean {
  return ownProperty(ownProperty(ownProperty(part, 'providerOptions'), KEY), 'isError') === true;
}
