import type { SessionConfigOption } from '@agentclientprotocol/sdk';
import { identify, settingsOf } from '../../../agent/settings/index.ts';
import type { Choices } from './choices.ts';
import { configOptions, modelOf, type OptionSources, withChoice } from './config-options.ts';

/** The settings of one session: what was chosen, and what can be. */
export class SessionSettings {
  readonly #sources: () => Omit<OptionSources, 'choices'>;
  #choices: Choices;

  /** `sources`: what the options are made of at present. */
  constructor(choices: Choices, sources: () => Omit<OptionSources, 'choices'>) {
    this.#choices = choices;
    this.#sources = sources;
  }

  get choices(): Choices {
    return this.#choices;
  }

  /** The options with their present values. */
  get options(): SessionConfigOption[] {
    return configOptions(this.#all);
  }

  /** Changes an option. Throws an invalid parameter for an unknown option or value. */
  choose(id: string, value: string | boolean): void {
    this.#choices = withChoice(this.#all, id, value);
  }

  /** Tokens of the model's window. Undefined if they are not known. */
  get contextWindow(): number | undefined {
    const { set } = this.#all;
    const name = modelOf(this.#all);
    return name === undefined ? undefined : settingsOf(set.models, identify(name)).contextWindow;
  }

  get #all(): OptionSources {
    return { ...this.#sources(), choices: this.#choices };
  }
}
