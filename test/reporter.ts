/**
 * A reporter of node:test that writes a line of JSON for each test that has ended, which run.ts reads. It
 * is given to Node by `--test-reporter`, so it is a default export.
 */
import { relative } from 'node:path';
import type { TestEvent } from 'node:test/reporters';
import { inspect } from 'node:util';

/** A test that has ended. `file` is relative to the working folder, `ms` its time. */
export interface Ended {
  readonly name: string;
  readonly file: string;
  readonly ms: number;
  /** Why the test was left out. */
  readonly skipped?: string;
  /** What failed. */
  readonly error?: string;
}

// biome-ignore lint/style/noDefaultExport: Node wants it.
export default async function* report(source: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  for await (const { type, data } of source) {
    if (type !== 'test:pass' && type !== 'test:fail') continue;
    const { name, details, skip, file = '' } = data;
    const { type: kind, duration_ms: ms } = details;
    // A suite that fails only because of its tests has said so already.
    if (kind === 'suite' && (type === 'test:pass' || isOfParts(data.details))) continue;
    const ended: Ended = {
      name,
      file: relative(process.cwd(), file),
      ms,
      ...(skip === undefined ? {} : { skipped: String(skip) }),
      ...(type === 'test:fail' ? { error: errorText(data.details) } : {}),
    };
    yield `${JSON.stringify(ended)}\n`;
  }
}

function isOfParts(details: object): boolean {
  const error: unknown = Reflect.get(details, 'error');
  return Reflect.get(Object(error), 'failureType') === 'subtestsFailed';
}

function errorText(details: object): string {
  const error: unknown = Reflect.get(details, 'error');
  const cause: unknown = Reflect.get(Object(error), 'cause');
  return inspect(cause ?? error, { depth: 8, maxStringLength: 4000 });
}
