import type { StepResult, ToolSet } from 'ai';
import { estimateTokens } from 'toolfold';

/** The tokens of one request, and of the same request in `eager`; 0 if `eager` needs no request. */
export interface StepFigures {
  readonly sent: number;
  readonly eager: number;
}

/** Tools that only deferral needs. A model that has all schemas does not call them. */
const FINDING = ['load_tools', 'tool_search', 'tool_describe'];

/**
 * Compares the sent requests with those of an agent that declares all schemas. Its messages are the
 * same, without calls that find tools, their results, and steps that only find tools.
 */
export class EagerComparison {
  readonly #schemas: number;
  readonly steps: StepFigures[] = [];
  /** Tokens in the messages so far that exist only because tools are deferred. */
  #extra = 0;

  /** `schemas`: the tokens of all tool definitions. */
  constructor(schemas: number) {
    this.#schemas = schemas;
  }

  /** Adds a finished step. `tokens` are those of its request. */
  add(
    { content, text }: Pick<StepResult<ToolSet>, 'content' | 'text'>,
    tokens: { readonly total: number; readonly messages: number },
  ): StepFigures {
    const parts = content.filter((part) => 'toolName' in part);
    const finding = parts.filter((part) => FINDING.includes(part.toolName));
    const onlyFinds = finding.length > 0 && finding.length === parts.length;
    const eager = onlyFinds ? 0 : this.#schemas + tokens.messages - this.#extra;
    const texts = finding.flatMap((part) =>
      part.type === 'tool-call'
        ? [part.toolName, JSON.stringify(part.input)]
        : part.type === 'tool-result'
          ? [typeof part.output === 'string' ? part.output : JSON.stringify(part.output)]
          : [],
    );
    for (const one of onlyFinds ? [text, ...texts] : texts) this.#extra += estimateTokens(one);
    const figures = { sent: tokens.total, eager };
    this.steps.push(figures);
    return figures;
  }
}
