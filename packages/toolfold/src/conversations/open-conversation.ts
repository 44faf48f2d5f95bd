import { type AgentFold, identify, settingsOf } from '@toolfold/agent/internal/options';
import type { Session } from '@toolfold/agent/internal/sessions';
import type { ExposureRules } from '@toolfold/core/internal/registry';
import { contextOf } from '@toolfold/core/internal/request';
import type { Tool, ToolLog } from '@toolfold/core/internal/tool';
import { pick } from '@toolfold/core/internal/values';
import type { ServerEntry } from '@toolfold/mcp/internal/config';
import type { ServerPool } from '@toolfold/mcp/internal/pool';
import type { LanguageModel } from 'ai';
import {
  AgentMaker,
  type AgentMakerOptions,
  type AgentSetUp,
  foldOf,
  isSevere,
  plannedTeam,
  readSetUp,
  remarksOn,
  Settings,
  serverRemarks,
  teamOf,
  type WayBack,
  wayBackTo,
  whatDiffers,
  withPauses,
} from '../agents/index.ts';
import type { Keys } from '../models/index.ts';
import { type Asker, type AskerOptions, approvalStore, createAsker } from '../questions/index.ts';
import { type OpenedServers, openServers, PATIENCE, type TrustHost } from '../servers/index.ts';
import type { CommandContext } from '../terminal/index.ts';
import { Conversation } from './conversation.ts';
import type { ConversationOptions } from './conversation-options.ts';
import { IdleTitle } from './idle-title.ts';
import { Logins, type LoginsOptions } from './logins.ts';

/** How the user of a conversation is asked. */
interface ConversationAsking extends Pick<AskerOptions, 'ask' | 'inOrder' | 'note' | 'signal'> {
  /** Whether "always" can be answered, so that the configuration is changed. */
  readonly canSave?: boolean;
  /** Shows the page of a login. Left out, logins are announced and not asked about. */
  readonly openPage?: LoginsOptions['openPage'] | undefined;
  /** Whether the user can type `/login`. */
  readonly hasLoginCommand?: boolean;
}

/** Milliseconds that `run` waits for servers without a list: its turn is often the only one. */
const RUN_PATIENCE = 10_000;

/** What a surface opens a conversation with. */
export interface OpenConversationOptions
  extends Pick<ConversationOptions, 'store' | 'folder' | 'id' | 'watch' | 'take' | 'onReread'>,
    Pick<ConversationOptions, 'waiting'>,
    Pick<AgentMakerOptions, 'flags' | 'keys' | 'onWarning'>,
    Pick<TrustHost, 'confirm' | 'agreed'> {
  /** How servers can ask the user. */
  readonly elicitation: 'form' | 'url' | undefined;
  /** Whether log messages of servers are lines for the user, outside of calls. */
  readonly areLogsShown: boolean;
  /** Called with each change of servers after the waiting. */
  readonly onChange?: (() => void) | undefined;
  /** The flags were written once for all sessions: what a session has kept goes before them. */
  readonly areFlagsStanding?: boolean;
  /** The environment, with the keys of providers. That of the process if left out. */
  readonly env?: NodeJS.ProcessEnv | undefined;
  readonly context: Pick<CommandContext, 'terminal' | 'signal'>;
  /** Gets each line about the configuration and the servers that the user should read. */
  readonly note: (line: string) => void;
  /** Gets the lines about the configuration in place of `note`. */
  readonly noteConfig?: (line: string) => void;
  /** Undefined: calls that need approval wait in the session. */
  readonly asking: ConversationAsking | undefined;
  /** Changes what was read, such as by servers of an editor. */
  readonly change?: (set: AgentSetUp) => AgentSetUp;
  /** Whether the session outlives the process. Default: true. */
  readonly isKept?: boolean;
  /** A session of the store to go on with. */
  readonly resumed?: string | undefined;
  /**
   * `first`: a model is needed at once, and only servers of the role of the flags start; what cannot work is refused
   * before they do. `later`: servers start in the background, and a first turn waits for them.
   */
  readonly starts?: 'first' | 'now' | 'later';
}

/** A conversation and what it was opened with. */
export interface Opened {
  readonly conversation: Conversation;
  readonly set: AgentSetUp;
  readonly settings: Settings;
  readonly pool: ServerPool;
  readonly asker: Asker | undefined;
  /** Servers that are still starting. */
  readonly missing: readonly string[];
  /** Undefined if nobody can be asked about logins. */
  readonly logins: Logins | undefined;
  /** The tools, also before there is an agent. */
  readonly fold: () => AgentFold;
  /** The same tools under other rules of `exposure`, to look at. No agent uses them. */
  readonly foldWith: (exposure: ExposureRules) => AgentFold;
  /** The command that goes on with the session in the same place. */
  readonly wayBack: (command: WayBack) => string;
  /** Ends the turn and the servers. */
  readonly close: () => Promise<void>;
}

/**
 * Opens a conversation: reads the configuration, opens the servers, and puts together what its agents are made of.
 * Nothing is written. Rejects as `readSetUp` does, with `session-unknown`, and with the reason of the signal.
 */
export async function openConversation(options: OpenConversationOptions): Promise<Opened> {
  const { flags, areFlagsStanding, folder, keys, context, note, noteConfig = note } = options;
  const { asking, elicitation, isKept = true, resumed } = options;
  const { starts = 'now', change = (given) => given, onWarning, ...rest } = options;
  const host = { note: noteConfig, ...pick(options, 'confirm', 'agreed') };
  const read = change(await readSetUp(flags, host, folder, options.env));
  const set = starts === 'first' ? read : withPauses(read);
  const settings = new Settings({ set, flags, areFlagsStanding });
  if (starts === 'first') {
    if (resumed !== undefined) settings.follow(await options.store.read(resumed), false);
    const name = settings.modelOf();
    if (name === undefined) throw await set.directory.noModel();
    const { model } = await keys.load(set, name);
    await teamOf(set, model, keys);
  }
  keys.addServers(set.config?.servers.values() ?? []);
  const { pool, missing } = await openServersFor(set, options);
  try {
    const parts = { pool, subagents: plannedTeam(set), isKept, hide: keys.hide };
    const before = foldOf(set, parts);
    const foldWith = (exposure: ExposureRules) =>
      foldOf({ ...set, settings: { ...set.settings, exposure } }, parts) as unknown as AgentFold;
    const fold = () => (conversation.agent?.fold ?? before) as AgentFold;
    // A block that is not trusted has no effect, and a later yes to it would be one to the whole block.
    const isLeftOut = set.untrusted.some(({ settings }) => settings !== undefined);
    const canSave = asking?.canSave === true && !isLeftOut;
    if (asking?.canSave && asking.ask && isLeftOut)
      note('Approvals hold for this session only: the settings of this folder are not trusted.');
    const asker =
      asking &&
      createAsker({
        ...asking,
        folder,
        marksOf: (name) => marksOf(fold(), name),
        tools: () => fold().layer,
        allowed: set.settings.approvals?.allow ?? [],
        store: canSave ? approvalStore(set.settingsFile, set.trustFolder) : undefined,
      });
    const { signal } = context;
    const ended = new AbortController();
    const agents = new AgentMaker({
      ...{ set, flags, settings, pool, keys, asker, isKept, onWarning, note },
      canElicit: elicitation !== undefined,
      waitForTools:
        starts === 'later' ? () => pool.ready({ within: patienceOf(options), signal }) : undefined,
    });
    const secrets = () => keys.secrets;
    const titles = starts === 'first' || !isKept ? undefined : titlesOf({ set, settings, keys });
    const onOpened = (session: Session | undefined): void => {
      const now = { set, model: settings.modelOf(), role: settings.role, fold: fold() };
      for (const line of whatDiffers(session?.entries ?? [], now)) note(keys.hide(line));
    };
    const conversation: Conversation = new Conversation({
      ...{ ...rest, agents, settings, asker, secrets, titles, onOpened },
    });
    if (resumed !== undefined) await conversation.open(resumed);
    const close = async (): Promise<void> => {
      ended.abort();
      await conversation.close();
      await pool.close();
    };
    const { openPage, note: say = note, signal: run = signal } = asking ?? {};
    const logins =
      asker &&
      openPage &&
      new Logins({
        ...{ pool, openPage, note: say, ask: asker.ask },
        hasCommand: asking.hasLoginCommand,
        signal: AbortSignal.any([run, ended.signal]),
      });
    const wayBack = (command: WayBack) =>
      keys.hide(wayBackTo(command, { session: conversation.session, flags, set, settings }));
    return {
      ...{ conversation, set, settings, pool, asker, logins, missing, fold, foldWith },
      ...{ wayBack, close },
    };
  } catch (error) {
    await pool.close();
    throw error;
  }
}

/** Opens the servers that the agents may use. The user reads what happens to them. */
async function openServersFor(
  { config, settings, roles }: AgentSetUp,
  { flags, folder, context, note, onChange, asking, starts, ...options }: OpenConversationOptions,
): Promise<OpenedServers> {
  // Another role may be chosen later.
  const { tools } = (starts === 'first' && roles[flags.role ?? '']) || {};
  const none = { servers: new Map<string, ServerEntry>(), settings };
  const hasTools = tools !== false && tools?.length !== 0;
  const areLoginsAsked = asking?.openPage !== undefined;
  const onLog = ({ server, level, text }: ToolLog): void => {
    if (isSevere(level)) note(`${server}: ${text}`);
  };
  const opened = await openServers(hasTools ? (config ?? none) : none, context, {
    patience: starts === 'later' ? 0 : patienceOf({ flags, starts }),
    onEvent: (event, isWaiting) => {
      if (isWaiting) return;
      for (const line of remarksOn(event, areLoginsAsked && starts !== 'first')) note(line);
      onChange?.();
    },
    requests: {
      ...{ elicitation: options.elicitation, sampling: true, roots: [folder], logLevel: 'warning' },
      host: options.areLogsShown ? { onLog } : undefined,
    },
  });
  for (const server of opened.pool.servers)
    for (const line of serverRemarks(server, areLoginsAsked)) note(line);
  return opened;
}

/** How long a first turn waits for servers whose tools are not known. */
function patienceOf({
  flags: { wait },
  starts,
}: Pick<OpenConversationOptions, 'flags' | 'starts'>): number {
  if (wait !== undefined) return wait * 1000;
  return starts === 'first' ? RUN_PATIENCE : PATIENCE;
}

/** What a tool says of itself, also if its server is not trusted. */
function marksOf({ layer }: AgentFold, name: string): Tool['annotations'] {
  const { toolbox } = contextOf(layer);
  const entry = toolbox.registry.get(name);
  return entry && toolbox.toolOf(entry)?.annotations;
}

/** Undefined if the configuration does not turn them on. */
function titlesOf({
  set,
  settings,
  keys,
}: Pick<Opened, 'set' | 'settings'> & { readonly keys: Keys }): IdleTitle | undefined {
  const { titles = false } = set.settings;
  if (titles === false) return;
  const name = () => (titles === true ? settings.modelOf() : titles);
  const load = async () => (await keys.load(set, name() ?? '')).model;
  const price = (model: LanguageModel) => settingsOf(set.models, identify(model)).price;
  return new IdleTitle({ load, price, hide: keys.hide });
}
