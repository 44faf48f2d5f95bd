import type { AskLine, Choose } from '../../questions/index.ts';

/** A surface that shows one step of a question after the other. */
export interface StepSurface {
  /** Shows lines that belong to the question. */
  readonly show: (text: string) => void;
  readonly askLine: AskLine;
  /** Asks with a mark at one of the choices. Left out, the choices are letters of a line. */
  readonly choose?: Choose | undefined;
}
