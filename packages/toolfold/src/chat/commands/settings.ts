import { strategyNames } from '@toolfold/core/internal/tools';
import { ROUTINGS } from '../../app/agents/flags/index.ts';
import type { Choice } from '../../app/conversations/index.ts';
import type { ModelOffer } from '../../app/models/index.ts';
import { usageError } from '../../app/terminal/index.ts';
import type { Chat } from '../opened/index.ts';
import type { ChatCommand } from './command.ts';

/** The value that means no role. */
const NONE = 'none';

/** A command that chooses one of some values: from its argument, or from a list. */
function choosing(
  name: 'role' | 'strategy' | 'routing',
  summary: string,
  values: (host: Chat) => readonly string[],
  choiceOf: (value: string) => Choice,
): ChatCommand {
  return {
    ...{ name, summary, values },
    hint: '[name]',
    async run({ host, show, pick }, argument) {
      const now = host.settings[name] ?? (name === 'role' ? NONE : 'as configured');
      const listed = values(host).map((value) => ({ value }));
      const value = argument === '' ? await pick?.(`Choose the ${name}`, listed) : argument;
      if (value === undefined) return show([`The ${name} is ${now}.`]);
      const all = values(host);
      if (!all.includes(value))
        throw usageError(`There is no ${name} "${value}".`, `Use one of: ${all.join(', ')}.`);
      await host.talk.choose(choiceOf(value));
      show([`The ${name} is ${value} from the next turn on.`]);
    },
  };
}

export const role: ChatCommand = choosing(
  'role',
  'choose the role, which decides which tools are available',
  (host) => [NONE, ...Object.keys(host.setUp.roles)],
  (value) => ({ role: value === NONE ? null : value }),
);

export const strategy: ChatCommand = choosing(
  'strategy',
  'choose how tools reach the model',
  () => strategyNames,
  (value) => ({ strategy: value as NonNullable<Choice['strategy']> }),
);

export const routing: ChatCommand = choosing(
  'routing',
  'choose what matching words in a message do',
  () => ROUTINGS,
  (value) => ({ routing: value as NonNullable<Choice['routing']> }),
);

/** `/model`: the model of the next turn. */
export const model: ChatCommand = {
  name: 'model',
  hint: '[provider/name]',
  summary: 'choose the model; a provider alone shows its models',
  values: ({ setUp }) => [...Object.keys(setUp.models), ...setUp.directory.foundNames],
  async run({ host, show, pick, signal }, argument) {
    const { directory, models } = host.setUp;
    const { modelName: now } = host;
    const known = Object.keys(models).map((value) => ({ value }));
    let value = argument === '' ? undefined : argument.replace(/^[^/]+$/, '$&/');
    let offers: readonly ModelOffer[] = [];
    if (value === undefined) {
      const listed = [...known, ...(await directory.offers(now, signal))];
      offers = [...new Map(listed.map((one) => [one.value, one])).values()].map((one) =>
        one.value === now ? { ...one, description: 'in use' } : one,
      );
      value = await pick?.('Choose the model', offers);
    }
    const provider = value?.endsWith('/') ? value.slice(0, -1) : undefined;
    if (provider !== undefined) {
      offers = (await directory.offersOf(provider, signal)).map((name) => ({ value: name }));
      value = await pick?.('Choose the model', offers);
    }
    if (value === undefined)
      return show([
        now === undefined ? 'No model is chosen.' : `The model is ${now}.`,
        'Another one: /model provider/name',
        // Who could choose has seen them.
        ...(pick ? [] : offers).map((offer) =>
          `  ${offer.value}  ${offer.description ?? ''}`.trimEnd(),
        ),
      ]);
    await host.talk.choose({ model: value });
    if (!host.isKept) return show([`The model is ${value} from the next turn on.`]);
    await directory.keep(value);
    show([
      `The model is ${value} from the next turn on, also in new chats where no other is named.`,
    ]);
  },
};
