import { type NativeForm, nativeFormsOf, type OwnCapability } from '../../models/index.ts';
import type { SessionOptions } from '../../tools/session.ts';
import type { ModelId } from '../request.ts';
import { WRITERS } from './writers.ts';

/** What is known of models and of the endpoints they were reached at, for as long as a fold lives. */
export class Endpoints {
  readonly #rows: readonly OwnCapability[];
  readonly #refused = new Map<string, string>();

  /** `rows` are tried before the table's own. */
  constructor(rows: readonly OwnCapability[]) {
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
      ? { appendRefused: `${keyOf(model)} is not known to take tools in mid-conversation` }
      : { append: WRITERS[form].append };
  }

  /** The endpoint refused the form: it is not tried there again. */
  refuse(model: ModelId, form: string, why: string): void {
    this.#refused.set(keyOf(model, form), why);
  }
}

function keyOf({ provider, modelId }: ModelId, form?: NativeForm | string): string {
  return form === undefined ? `${provider}/${modelId}` : `${provider}/${modelId} ${form}`;
}
