import { ToolfoldError } from '@toolfold/core/internal/errors.ts';
import {
  acceptedToolsOf,
  type NativeForm,
  nativeRowOf,
  type OwnCapability,
  pricesOf,
} from '@toolfold/core/internal/models';
import type { Session, SessionOptions, ToolLayer } from '@toolfold/core/internal/session';
import { getOrMake, Recent } from '@toolfold/core/internal/values';
import type { ToolSet } from 'ai';
import { WRITERS } from '../protocol/index.ts';
import type { ModelId } from '../request/index.ts';
import { checkWithOptions } from './check-options.ts';
import type { FoldOptions, WithOptions } from './options.ts';

const CHOICES = [
  'role',
  'only',
  'without',
  'parent',
  'state',
  'contextWindow',
  'strategy',
  'onMismatch',
] as const;

/** The options of a view that decide its sessions. */
type SessionChoice = Pick<WithOptions, (typeof CHOICES)[number]>;

/** Returns a new session for a model. `refused`: why the endpoint has just refused tools in mid-conversation. */
export type SessionFactory = (model: ModelId, refused?: string) => Session;

/** Sessions that are kept for views without options, one for each model. */
const KEPT = 100;

/** Makes the sessions of a fold. A session is made once for each model, and each request gets a fork of it. */
export class Sessions {
  readonly #layer: ToolLayer;
  readonly #endpoints: Endpoints;
  readonly #options: Pick<FoldOptions<ToolSet>, 'auto' | 'prices'>;
  /** By model and form of appending; nothing was read with them. */
  readonly #plain = new Recent<Session>(KEPT);

  constructor(
    layer: ToolLayer,
    endpoints: Endpoints,
    options: Pick<FoldOptions<ToolSet>, 'auto' | 'prices'>,
  ) {
    this.#layer = layer;
    this.#endpoints = endpoints;
    this.#options = options;
  }

  /** The sessions of one view. Throws, as they do, the errors of `fold.with`. */
  of(options: SessionChoice): SessionFactory {
    checkWithOptions(options);
    const isPlain = CHOICES.every((key) => options[key] === undefined);
    const choice = isPlain ? {} : options;
    const unread = isPlain ? this.#plain : new Recent<Session>(KEPT);
    return (model, refused) => {
      const append = this.#endpoints.appendOptions(model, refused);
      const form = append.append?.id ?? `refused: ${append.appendRefused}`;
      const make = () => this.#make(model, choice, append);
      return getOrMake(unread, `${idOf(model)} ${form}`, make).fork();
    };
  }

  #make(
    model: ModelId,
    { parent, ...choice }: SessionChoice,
    append: ReturnType<Endpoints['appendOptions']>,
  ): Session {
    if (parent) {
      checkWithOptions(parent);
      return this.#make(model, parent, append).child(choice);
    }
    const { auto, prices = [] } = this.#options;
    const accepts = acceptedToolsOf(model);
    return this.#layer.session({
      ...choice,
      ...append,
      ...(accepts ? { accepts } : {}),
      // What the app says of prices goes for all its models.
      prices: auto?.prices ?? pricesOf(model, prices) ?? 'unknown',
      modelId: idOf(model),
    });
  }
}

/** The model of a session: its provider and its name. */
export function idOf({ provider, modelId }: ModelId): string {
  return `${provider}/${modelId}`;
}

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
