import { ToolfoldError } from '@toolfold/core/internal/errors.ts';
import { type NativeForm, nativeRowOf, type OwnCapability } from '@toolfold/core/internal/models';
import type { SessionOptions } from '@toolfold/core/internal/tools/session';
import { getOrMake, Recent } from '@toolfold/core/internal/tools/values';
import { WRITERS } from './native/index.ts';
import type { ModelId } from './request/index.ts';

/** Which form of `native` each model accepts, and which forms its endpoint has refused. Lives as long as the fold. */
export class Endpoints {
  readonly #rows: readonly OwnCapability[];
  readonly #refused = new Map<string, string>();
  readonly #known = new Recent<Pick<OwnCapability, 'forms' | 'proven'>>(100);

  /** `rows` have precedence over the table. Throws `invalid-option` for an unknown form. */
  constructor(rows: readonly OwnCapability[]) {
    for (const { forms } of rows) forms.forEach(checkForm);
    this.#rows = rows;
  }

  /** The form in which the model accepts tools in mid-conversation, or the reason why it does not. `refused`: a refusal of this conversation. */
  appendOptions(
    model: ModelId,
    refused?: string,
  ): Pick<SessionOptions, 'append' | 'appendRefused'> {
    const {
      forms: [form],
      proven,
    } = this.#rowOf(model);
    const appendRefused = refused ?? this.#refused.get(keyOf(model, form));
    if (appendRefused !== undefined) return { appendRefused };
    return form === undefined
      ? { appendRefused: `no form of native is known or enabled for ${keyOf(model)}` }
      : { append: { ...WRITERS[form].append, proven } };
  }

  /** Whether a form of `native` is known for the model, refused or not. */
  isKnown(model: ModelId): boolean {
    return this.#rowOf(model).forms.length > 0;
  }

  #rowOf(model: ModelId): Pick<OwnCapability, 'forms' | 'proven'> {
    return getOrMake(this.#known, keyOf(model), () => nativeRowOf(model, this.#rows) ?? NONE);
  }

  /** Records that the endpoint refuses the form. Returns false if this was known. */
  refuse(model: ModelId, form: string, why: string): boolean {
    const key = keyOf(model, form);
    if (this.#refused.has(key)) return false;
    this.#refused.set(key, why);
    return true;
  }
}

const NONE: Pick<OwnCapability, 'forms' | 'proven'> = { forms: [] };

function checkForm(form: string): void {
  if (Object.hasOwn(WRITERS, form)) return;
  throw new ToolfoldError(
    'invalid-option',
    `"${form}" is not a form of native.`,
    `Use one of these forms: ${Object.keys(WRITERS).join(', ')}.`,
  );
}

function keyOf({ provider, modelId }: ModelId, form?: NativeForm | string): string {
  return form === undefined ? `${provider}/${modelId}` : `${provider}/${modelId} ${form}`;
}
