import type { StepResult, ToolSet } from 'ai';
import { estimateTokens } from 'toolfold';

/** One request's tokens as sent, and as eager would have sent them; 0 where it needs no request. */
export interface StepFigures {
  readonly sent: number;
  readonly eager: number;
}

/** What only deferral needs: a model that is shown all schemas has no use for these calls. */
const FINDING = ['load_tools', 'tool_search', 'tool_describe'];

/**
 * Compares requests as sent with those of an agent that declares all schemas: the same messages
 * less the calls that find tools, their results, and the steps that do nothing else.
 */
export class EagerComparison {
  readonly #schemas: number;
  readonly steps: StepFigures[] = [];
  /** Tokens in the messages so far that are there only because tools are deferred. */
  #extra = 0;

  /** `schemas`: tokens of the definitions of all tools. */
  constructor(schemas: number) {
    this.#schemas = schemas;
  }

  /** Adds a step that ended; `tokens` are those of its request. */
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
