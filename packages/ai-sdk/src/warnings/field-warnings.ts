import { oncePerKey } from '@toolfold/core/internal/tools/values';

/** The hint for an app that replaced Toolfold's `toolApproval` with its own. */
const REMEDY =
  'Pass your `toolApproval` to `fold.with(model, { toolApproval })` and spread all fields that it returns.';

export interface FieldWarningsInputs {
  readonly warn: (text: string) => void;
  /** Whether a model of the fold has made a request since the fields were made. */
  readonly isModelUsed: () => boolean;
  /** Whether the SDK has asked `toolApproval` of this view. */
  readonly isApprovalUsed: () => boolean;
  /** The view has hooks or settings that decide about calls. */
  readonly needsApproval: boolean;
}

/** Warnings of one view about fields of `fold.with` that the app does not use as they are. */
export class FieldWarnings {
  readonly #inputs: FieldWarningsInputs;
  readonly #once: (key: string, text: string) => void;

  constructor(inputs: FieldWarningsInputs) {
    this.#inputs = inputs;
    this.#once = oncePerKey(inputs.warn);
  }

  /** Called with each call of the SDK that reaches a tool of this view. */
  check(toolName: string): void {
    const { isModelUsed, isApprovalUsed, needsApproval } = this.#inputs;
    if (!isModelUsed()) this.#modelBypassed(toolName);
    else if (needsApproval && !isApprovalUsed()) this.#approvalUnused(toolName);
  }

  /** A call that needs the user's approval reached its tool unasked. `message`: the answer to the call. */
  warnOfUnaskedCall(message: string): void {
    this.#once('unasked', `${message} ${REMEDY}`);
  }

  /** A call reached a tool of this view, and no model of Toolfold made a request. */
  #modelBypassed(toolName: string): void {
    this.#once(
      'model',
      `${toolName} was called by a model that Toolfold does not see, so the model gets neither the catalog nor loaded schemas. Give your model to \`fold.with(model)\` and spread its fields last, or remove the other \`model\`.`,
    );
  }

  /** A call that needs a hook or a setting reached its tool, and the SDK did not ask `toolApproval`. */
  #approvalUnused(toolName: string): void {
    this.#once(
      'approval',
      `\`toolApproval\` of \`fold.with\` is not in use, and ${toolName} was called: hooks and settings may be unable to ask the user, and they do not reach tools that Toolfold does not run. ${REMEDY}`,
    );
  }
}
