import { errorMessage, invalidOption } from '@toolfold/core/internal/errors.ts';
import { isFromModel } from '@toolfold/core/internal/host';
import type { TokenCounter } from '@toolfold/core/internal/tool';
import { oncePerKey, oneLine, Recent } from '@toolfold/core/internal/values';
import type { ToolSet } from 'ai';

/** How many warnings are remembered, so that the console shows each once. */
const KEPT = 1_000;
/** The most characters of a warning on the console. It may hold texts of servers and models. */
const LENGTH = 2_000;

/**
 * Where warnings of a fold go: to the app's function, to nobody, or to the console, each once. If the
 * app's function fails, the console says so once.
 */
export function warningsTo(
  onWarning: ((text: string) => void) | false | undefined,
): (text: string) => void {
  if (onWarning === false) return () => {};
  const own = harmless('onWarning', onWarning, oncePerKey(toConsole));
  if (own) return own;
  return (text) => {
    if (said.get(text)) return;
    said.set(text, true);
    toConsole(text);
  };
}

/** By all folds of the process: an app may create one in each request. */
const said = new Recent<true>(KEPT);

function toConsole(text: string): void {
  console.warn(`toolfold: ${oneLine(text, LENGTH)}`);
}

/** Warns about tools of the AI SDK's own search, which finds nothing among Toolfold's tools. */
export function warnOfToolSearch(tools: ToolSet, warn: (text: string) => void): void {
  const key = Symbol.for('vercel.ai.toolSearch');
  for (const [name, tool] of Object.entries(tools))
    if (Reflect.get(tool, key) === true)
      warn(
        `"${name}" is the AI SDK's toolSearch(), which finds nothing here: Toolfold loads deferred tools itself. Remove it from \`tools\`.`,
      );
}

type ModelId = { readonly provider: string; readonly modelId: string };

/** Warnings about `native` where it is replaced, once for each model and form. */
export class NativeWarnings {
  readonly #warn: (text: string) => void;
  readonly #once: (key: string, text: string) => void;

  constructor(warn: (text: string) => void) {
    this.#warn = warn;
    this.#once = oncePerKey(warn);
  }

  /** No form is known for a model for which the app asks for `native`. */
  warnOfUnknownModel({ provider, modelId }: ModelId): void {
    const name = `${provider}/${modelId}`;
    this.#once(
      name,
      `"native" was asked for, and "dispatch" is used: no way to add tools in mid-conversation is known for ${name}. If its endpoint has one, say so in \`capabilities\`; else leave out \`strategy\`, or name "dispatch".`,
    );
  }

  /** The endpoint refused a form. `forAll`: it is not tried again for this model. */
  warnOfRefusal({ provider, modelId }: ModelId, form: string, why: string, forAll: boolean): void {
    const scope = forAll
      ? 'in all conversations with this model'
      : 'for the rest of this conversation';
    const remedy = forAll
      ? ' To avoid the refused request, give this model a row without forms in `capabilities`.'
      : '';
    this.#warn(
      `${provider}/${modelId} refused tools in mid-conversation (${form}): ${why}; dispatch is used ${scope}.${remedy}`,
    );
  }
}

/** The hint for an app that replaced Toolfold's `toolApproval` with its own. */
const REMEDY =
  'Pass your `toolApproval` to `fold.with(model, { toolApproval })` and spread all fields that it returns.';

interface FieldWarningsInputs {
  readonly warn: (text: string) => void;
  /** Whether a model of the fold has made a request since the fields were made. */
  readonly isModelUsed: () => boolean;
  /** Calls of this view may also come from tools that call others, or from a journal. */
  readonly hasOtherCallers: boolean;
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
  check(toolName: string, toolCallId: string): void {
    const { isModelUsed, hasOtherCallers, isApprovalUsed, needsApproval } = this.#inputs;
    if (!isModelUsed() || !(hasOtherCallers || isFromModel(toolCallId)))
      this.#modelBypassed(toolName);
    else if (needsApproval && !isApprovalUsed()) this.#approvalUnused(toolName);
  }

  /** A call that needs the user's approval reached its tool unasked. `message`: the answer to the call. */
  warnOfUnaskedCall(message: string): void {
    this.#once('unasked', `${message} ${REMEDY}`);
  }

  /** The messages end with an approval of a call that has a result, or of another call. */
  warnOfSpentApproval(toolName: string): void {
    this.#once(
      'spent',
      `${toolName} was resumed by an approval that does not hold: the messages have a result of the call already, or the question was about another call. The call counts as not approved. Do not send an approval again when its call has a result.`,
    );
  }

  /** A call reached a tool of this view, and no model of Toolfold made it. */
  #modelBypassed(toolName: string): void {
    this.#once(
      'model',
      `${toolName} was called by a model that Toolfold does not see, so the model gets neither the catalog nor loaded schemas. Give your model to \`fold.with(model)\` and spread its fields last, or remove the other \`model\`. From \`prepareStep\`, return the \`model\` of another \`fold.with(other)\`.`,
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

type Observer<ARGUMENTS extends readonly unknown[]> = (...args: ARGUMENTS) => void;

/**
 * The app's observer, which can end neither a request nor the process: `report` gets a text for the
 * developer if the observer throws, or if its promise rejects. Undefined if there is no observer.
 */
export function harmless<ARGUMENTS extends readonly unknown[]>(
  name: string,
  observer: Observer<ARGUMENTS> | undefined,
  report: (key: string, text: string) => void,
): Observer<ARGUMENTS> | undefined {
  if (typeof observer !== 'function') return observer;
  const failed = (error: unknown): void =>
    report(
      name,
      `\`${name}\` failed: ${errorMessage(error)}. The request went on. Catch errors inside \`${name}\`; later failures of it are not reported.`,
    );
  return (...args) => {
    try {
      // The type also accepts functions that return a promise.
      Promise.resolve(observer(...args)).catch(failed);
    } catch (error) {
      failed(error);
    }
  };
}

/** One wrapper for each counter, because sizes are remembered by counter. */
const checked = new WeakMap<TokenCounter, TokenCounter>();

/** The app's counter, which throws `invalid-option` if it returns no finite number. */
export function checkedCounter(counter: TokenCounter | undefined): TokenCounter | undefined {
  if (typeof counter !== 'function') return counter;
  const known = checked.get(counter);
  if (known) return known;
  const check: TokenCounter = (text) => {
    const tokens: unknown = counter(text);
    if (typeof tokens === 'number' && Number.isFinite(tokens)) return tokens;
    Promise.resolve(tokens).catch(() => {});
    throw invalidOption(
      'countTokens',
      'a function that returns a finite number of tokens at once, not a promise',
    );
  };
  checked.set(counter, check);
  return check;
}
