import { ROUTINGS } from '../../app/agents/flags/index.ts';
import type { Choice } from '../../app/conversations/index.ts';
import { ToolfoldError } from '../../errors.ts';
import { strategyNames } from '../../tools/index.ts';
import type { ChatHost } from '../host/index.ts';
import type { ChatCommand, CommandUi } from './command.ts';

/** The value that means no role. */
const NONE = 'none';

/** A command that chooses one of some values: from its argument, or from a list. */
function choosing(
  name: 'role' | 'strategy' | 'routing',
  summary: string,
  values: (host: ChatHost) => readonly string[],
  choiceOf: (value: string) => Choice,
): ChatCommand {
  return {
    ...{ name, summary, values },
    hint: '[name]',
    async run(ui, argument) {
      const { host, show } = ui;
      const now = host.settings[name] ?? (name === 'role' ? NONE : 'as configured');
      const value = argument === '' ? await picked(ui, name, values(host)) : argument;
      if (value === undefined) return show([`The ${name} is ${now}.`]);
      if (!values(host).includes(value)) {
        throw new ToolfoldError(
          'invalid-option',
          `There is no ${name} "${value}".`,
          `Use one of: ${values(host).join(', ')}.`,
        );
      }
      await host.choose(choiceOf(value));
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
  summary: 'choose the model',
  values: (host) => Object.keys(host.setUp.models),
  async run(ui, argument) {
    const { host, show } = ui;
    const known = Object.keys(host.setUp.models);
    const value = argument === '' ? await picked(ui, 'model', known) : argument;
    if (value === undefined) {
      return show([
        host.modelName === undefined ? 'No model is chosen.' : `The model is ${host.modelName}.`,
        'Another one: /model provider/name',
      ]);
    }
    await host.choose({ model: value });
    show([`The model is ${value} from the next turn on.`]);
  },
};

async function picked(
  { pick }: CommandUi,
  title: string,
  values: readonly string[],
): Promise<string | undefined> {
  if (values.length === 0) return;
  return pick(
    `Choose the ${title}`,
    values.map((value) => ({ value, label: value })),
  );
}
