import { ToolfoldError } from '../../errors.ts';
import { type NativeForm, nativeFormsOf, type OwnCapability } from '../../models/index.ts';
import type { SessionOptions } from '../../tools/options/index.ts';
import { WRITERS } from '../native/index.ts';
import type { ModelId } from './request.ts';

/** What is known of models and of the endpoints they were reached at, for as long as a fold lives. */
export class Endpoints {
  readonly #rows: readonly OwnCapability[];
  readonly #refused = new Map<string, string>();

  /** `rows` are tried before the table's own. Throws `invalid-option` for a form there is not. */
  constructor(rows: readonly OwnCapability[]) {
    for (const { forms } of rows) forms.forEach(checkForm);
    this.#rows = rows;
  }

  /** How the model takes tools in mid-conversation, or why it does not; `refused` as just found. */
  appendOptions(
    model: ModelId,
    refused?: string,
  ): Pick<SessionOptions, 'append' | 'appendRefused'> {
    const [form] = nativeFormsOf(model, this.#rows);
    const appendRefused = refused ?? this.#refused.get(keyOf(model, form));
    if (appendRefused !== undefined) return { appendRefused };
    return form === undefined
      ? { appendRefused: `no form of native is known, or wanted, for ${keyOf(model)}` }
      : { append: WRITERS[form].append };
  }

  /** The endpoint refuses the form, it is not tried there again; false where that was known. */
  refuse(model: ModelId, form: string, why: string): boolean {
    const key = keyOf(model, form);
    if (this.#refused.has(key)) return false;
    this.#refused.set(key, why);
    return true;
  }
}

function checkForm(form: string): void {
  if (Object.hasOwn(WRITERS, form)) return;
  throw new ToolfoldError(
    'invalid-option',
    `"${form}" is no form of native.`,
    `The forms are ${Object.keys(WRITERS).join(', ')}.`,
  );
}

function keyOf({ provider, modelId }: ModelId, form?: NativeForm | string): string {
  return form === undefined ? `${provider}/${modelId}` : `${provider}/${modelId} ${form}`;
}
