import type { TextStreamPart, ToolSet } from 'ai';
import type { AnswerRecorder } from '../log/index.ts';

type Part = TextStreamPart<ToolSet>;
type RequestPart = Extract<Part, { type: 'tool-approval-request' }>;

/** What the stream of a generation said beside what is recorded. */
interface Read {
  /** The calls that the user must be asked about. */
  readonly asked: readonly RequestPart[];
  readonly failure: { readonly error: unknown } | undefined;
  readonly isAborted: boolean;
}

/** A generation that is being read. */
export interface Reading {
  readonly recorder: AnswerRecorder;
  /** Never rejects. */
  readonly done: Promise<Read>;
}

/** Reads the stream of the SDK to its end, which makes the SDK go on. */
export function readStream(stream: AsyncIterable<Part>, recorder: AnswerRecorder): Reading {
  const read = async (): Promise<Read> => {
    const asked: RequestPart[] = [];
    let failure: Read['failure'];
    let isAborted = false;
    try {
      for await (const part of stream) {
        if (part.type === 'error') failure = { error: part.error };
        if (part.type === 'abort') isAborted = true;
        if (part.type === 'tool-approval-request' && part.isAutomatic !== true) asked.push(part);
      }
    } catch (error) {
      failure ??= { error };
    }
    return { asked, failure, isAborted };
  };
  return { recorder, done: read() };
}
