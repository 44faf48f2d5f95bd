import { acceptedToolsOf, pricesOf } from '@toolfold/core/internal/models';
import type { ToolLayer } from '@toolfold/core/internal/tools';
import type { Session } from '@toolfold/core/internal/tools/session';
import { getOrMake, Recent } from '@toolfold/core/internal/tools/values';
import type { ToolSet } from 'ai';
import type { Endpoints } from './endpoints.ts';
import { checkWithOptions, type FoldOptions, type WithOptions } from './options/index.ts';
import type { ModelId } from './request/index.ts';

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
export type SessionChoice = Pick<WithOptions, (typeof CHOICES)[number]>;

/** Returns a new session for a model. `refused`: why the endpoint has just refused tools in mid-conversation. */
export type NewSession = (model: ModelId, refused?: string) => Session;

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
  of(options: SessionChoice): NewSession {
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
