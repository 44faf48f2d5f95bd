import type { ScreenTurn } from '@toolfold/agent/internal/events';
import { strategyNames } from '@toolfold/core/internal/tool';
import { formatCount, formatNumber } from '@toolfold/core/internal/values';
import type { PartialChoices } from '../agents/index.ts';
import {
  instructionLine,
  keptInstructions,
  type ModelOffer,
  readInstructions,
} from '../models/index.ts';
import { costText, loadedTools, schemaTokens, spentOf } from '../shown/index.ts';
import { ROUTINGS, share, usageError } from '../terminal/index.ts';
import { type ChatCommand, nextLine } from './command.ts';
import type { Chat } from './open-chat.ts';

/** The value that means no role. */
const NONE = 'none';

/** A command that chooses one of some values: from its argument, or from a list. */
function choosing(
  name: 'role' | 'strategy' | 'routing',
  summary: string,
  values: (host: Chat) => readonly string[],
  choiceOf: (value: string) => PartialChoices,
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
  (value) => ({ strategy: value as NonNullable<PartialChoices['strategy']> }),
);

export const routing: ChatCommand = choosing(
  'routing',
  'choose what matching words in a message do',
  () => ROUTINGS,
  (value) => ({ routing: value as NonNullable<PartialChoices['routing']> }),
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

/** `/context`: what the next request will hold, and what the last one held. */
export const context: ChatCommand = {
  name: 'context',
  summary: 'show what the next request will hold and the last one held, in tokens',
  async run({ host, show }) {
    const turn = host.talk.view.turns.findLast(({ request }) => request !== undefined);
    const instructions = await instructionLines(host);
    const next = await nextLine(host);
    if (!turn?.request) return show([next, 'No request has been sent yet.', ...instructions]);
    const { tokens, strategy, form } = turn.request;
    const { total, inline, bridges, loaded, later = loaded, system, catalog, messages } = tokens;
    const row = (name: string, count: number) =>
      `  ${name.padEnd(26)}${formatNumber(count).padStart(10)}  ${share(total === 0 ? 0 : count / total).padStart(5)}`;
    show([
      next,
      `The last request: ${formatCount(total, 'token')}, strategy ${strategy}${form === undefined ? '' : ` (${form})`}`,
      row('schemas, always sent', inline),
      row('schemas, loaded', later),
      row('bridge tools', bridges),
      row('system text', system - catalog),
      row('catalog of tool names', catalog),
      row('messages', messages - (later - loaded)),
      ...(await cacheLines(turn)),
      ...loadedLines(host),
      ...instructions,
    ]);
  },
};

/** What the request asks of the prompt cache, and what the provider said of all requests of the turn. */
async function cacheLines({ request, usage }: ScreenTurn): Promise<string[]> {
  if (!request?.cache) return [];
  // Loaded now, because it needs the AI SDK, and the first frame of the chat does not.
  const { cacheUseWords, cacheWords } = await import('@toolfold/ai-sdk/internal/caching');
  const use = usage.requests === 0 ? '' : `; in this turn the provider ${cacheUseWords(usage)}`;
  return [`It ${cacheWords(request.cache)}${use}.`];
}

/** The files of the project that are system text. */
async function instructionLines({ setUp, talk }: Chat): Promise<readonly string[]> {
  const { instructionsFrom: folder } = setUp;
  if (folder === undefined) return [];
  const now = await readInstructions(folder);
  const kept = talk.session && keptInstructions(talk.session);
  const isChanged = kept !== undefined && kept !== now.text;
  const line = instructionLine(now);
  return [
    ...(line === undefined ? [] : [line]),
    ...(isChanged ? ['They have changed: this conversation keeps its text, /new reads them.'] : []),
  ];
}

/** The tools that were loaded, with the tokens of their schemas. */
function loadedLines({ talk, fold }: Chat): string[] {
  const names = loadedTools(talk.view.turns, fold());
  if (names.size === 0) return [];
  const known = schemaTokens(fold());
  const width = Math.max(26, ...[...names].map((name) => name.length + 2));
  return [
    'Loaded so far:',
    ...[...names].map((name) => {
      const tokens = known.get(name);
      return `  ${name.padEnd(width)}${tokens === undefined ? '' : formatNumber(tokens).padStart(10)}`;
    }),
  ];
}

/** `/cost`: what the conversation has used. */
export const cost: ChatCommand = {
  name: 'cost',
  summary: 'show tokens and money of this conversation',
  async run({ host, show }) {
    const { view, besides } = host.talk;
    const { turns } = view;
    const all = spentOf(turns, besides);
    const next = await nextLine(host);
    if (all.requests === 0) return show([next, 'No request has been answered yet.']);
    const own = spentOf(turns.map((turn) => ({ ...turn, blocks: [] })));
    const titles = besides?.requests ?? 0;
    const below = all.requests - own.requests - titles;
    const line = (name: string, { requests, input, cacheRead, output }: typeof all) =>
      `  ${name.padEnd(12)}${formatCount(requests, 'request')}, ${formatNumber(input)} tokens sent (${share(input === 0 ? 0 : cacheRead / input)} from the cache), ${formatNumber(output)} received`;
    const price = costText(all, host.setUp.settings.currency);
    show([
      line('All', all),
      ...(below + titles === 0 ? [] : [line('Agent', own)]),
      ...(besides && titles > 0 ? [line('Title', besides)] : []),
      price === undefined
        ? 'Money per token is not known: the built-in table has only ratios of prices. Set models.<provider/name>.price in the configuration.'
        : `Cost of the session: ${price}`,
      ...(all.estimated === 0
        ? []
        : [`Of ${formatCount(all.estimated, 'request')} the tokens are estimated.`]),
      next,
    ]);
  },
};
