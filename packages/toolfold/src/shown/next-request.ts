import { droppableTokens, isCheaperWithout, toolTokens } from '@toolfold/agent/internal/entries';
import type { ScreenTurn } from '@toolfold/agent/internal/events';
import type { AgentFold } from '@toolfold/agent/internal/options';
import type { Entry, Session } from '@toolfold/agent/internal/sessions';
import { stubTokens } from '@toolfold/ai-sdk/internal/protocol';
import type { RoleSettings } from '@toolfold/config/internal/settings';
import { isStrategyName, type StrategyChoice } from '@toolfold/core/internal/tool';
import { formatNumber, ownProperty } from '@toolfold/core/internal/values';
import { planNow, type ToolPlan } from './tool-plan.ts';

/** What the requests of a session were last sent with, also by another process. */
interface SentWith {
  /** `provider/name`. */
  readonly model: string | undefined;
  readonly role: string | undefined;
  /** Tools are off, and requests hold nothing of them. */
  readonly isLeftOut: boolean;
}

/** Undefined for a session that has sent nothing. */
export function sentWith(entries: readonly Entry[]): SentWith | undefined {
  const settings = entries.findLast(({ kind }) => kind === 'settings')?.body;
  if (!settings) return;
  const [model, role] = [ownProperty(settings, 'model'), ownProperty(settings, 'role')];
  const at = entries.findLastIndex(({ kind }) => kind === 'tools');
  const tools = entries[at]?.body;
  // A compaction begins an epoch, which holds nothing of tools that are off.
  const isCompacted = () => entries.findLastIndex(({ kind }) => kind === 'compaction') > at;
  return {
    model: typeof model === 'string' ? model : undefined,
    role: typeof role === 'string' ? role : undefined,
    isLeftOut:
      ownProperty(tools, 'on') === false &&
      (ownProperty(tools, 'leftOut') === true || isCompacted()),
  };
}

/** What decides the next request. */
export interface NextFacts {
  readonly areToolsOn: boolean;
  /** The plan of a new epoch. Undefined while it is not known. */
  readonly plan: ToolPlan | undefined;
  readonly model: string | undefined;
  readonly role: string | undefined;
  /** Undefined: `auto`. */
  readonly strategy?: StrategyChoice | undefined;
  /** What the last request was sent with. Undefined before the first. */
  readonly sent: SentWith | undefined;
}

/** What the next request holds, in the built-in estimate. What a message preloads is not known before it. */
export interface NextRequest {
  /** Of tools: their schemas wherever they stand, bridge tools and the catalog. Undefined while it is not known. */
  readonly tools: number | undefined;
  /** Why it holds some although tools are off. */
  readonly because?: 'epoch' | 'results' | 'stub';
  /** Of the schemas of all tools, in whatever way they are sent. */
  readonly all: number | undefined;
  /** Of everything else, as far as it was sent. */
  readonly conversation: number;
  /** What the last request held of tools, and would have held with all schemas, if the next one goes on with it. */
  readonly last?: { readonly tools: number; readonly all: number };
}

/** The last request of a conversation, if the next one continues what it has sent. */
function lastOf(turns: readonly ScreenTurn[]): ScreenTurn['request'] {
  const at = turns.findLastIndex(({ request }) => request !== undefined);
  // An epoch begins with the first request after a compaction.
  const notices = turns.slice(Math.max(0, at)).flatMap((turn) => turn.notices);
  const last = notices.findLast(({ type }) => type === 'compaction' || type === 'epoch');
  return last?.type === 'compaction' ? undefined : turns[at]?.request;
}

/** What the next request holds. It follows from the last one, or where an epoch begins, from the plan. */
export function nextRequest(turns: readonly ScreenTurn[], facts: NextFacts): NextRequest {
  const { areToolsOn, plan, model, role, strategy, sent } = facts;
  const request = lastOf(turns);
  if (!request) {
    const tools = areToolsOn ? plan?.tokens : 0;
    return { tools, all: plan?.eager, conversation: compactedTokens(turns) };
  }
  const { tokens, strategy: last } = request;
  const held = toolTokens(tokens);
  const conversation = tokens.total - held;
  // Schemas in results stay in the messages, whatever the next epoch declares.
  const inMessages = held - droppableTokens(tokens);
  const isNamed = strategy !== undefined && strategy !== 'auto' && strategy !== last;
  const isSame = sent?.model === model && sent?.role === role && !isNamed;
  const all = plan?.eager ?? tokens.eager - conversation;
  if (!areToolsOn) {
    const stub = turns.some(hasCalls) ? stubTokens(model) : 0;
    if (isSame && !sent?.isLeftOut && !isCheaperWithout(tokens))
      return { tools: held, all, conversation, ...(held > 0 && { because: 'epoch' }) };
    const because = stub > 0 ? 'stub' : inMessages > 0 ? 'results' : undefined;
    return { tools: inMessages + stub, all, conversation, ...(because && { because }) };
  }
  const goesOn = isSame && !sent?.isLeftOut && last !== 'none';
  // What is declared is declared anew with each request.
  const isFrozen = goesOn && last !== 'eager';
  const anew = plan && plan.tokens + inMessages;
  return {
    ...{ tools: isFrozen ? held : anew, all, conversation },
    ...(goesOn ? { last: { tools: held, all: tokens.eager - conversation } } : {}),
  };
}

/** What a compaction has left of the messages. */
function compactedTokens(turns: readonly ScreenTurn[]): number {
  const notices = turns.flatMap((turn) => turn.notices);
  const last = notices.findLast(({ type }) => type === 'compaction');
  return last?.type === 'compaction' ? last.after : 0;
}

function hasCalls({ blocks }: ScreenTurn): boolean {
  return blocks.some(({ kind }) => kind === 'call');
}

/** The strategy by which tools are counted: that of the epoch, as long as it goes on. */
export function plannedStrategy(
  turns: readonly ScreenTurn[],
  { model, role, strategy, sent }: Pick<NextFacts, 'model' | 'role' | 'strategy' | 'sent'>,
): StrategyChoice | undefined {
  const request = lastOf(turns);
  const isSame = sent?.model === model && sent?.role === role && !sent?.isLeftOut;
  const isFrozen = request && request.strategy !== 'eager' && isStrategyName(request.strategy);
  return isSame && isFrozen ? (request.strategy as StrategyChoice) : strategy;
}

/** Whether the next request may have tools: they are not switched off, and the role has some. */
export function mayHaveTools(
  { areToolsOn, role }: { readonly areToolsOn: boolean; readonly role: string | null },
  roles: Readonly<Record<string, RoleSettings>>,
): boolean {
  return areToolsOn && (role === null || roles[role]?.tools !== false);
}

/** What the next request holds, in words. */
function nextWords(next: NextRequest, areToolsOn: boolean): string {
  const { conversation } = next;
  const rest = conversation > 0 ? `; conversation ${formatNumber(conversation)}` : '';
  return `The next request: ${toolsWords(next, areToolsOn)}${rest}.`;
}

/** Where tools stand that are off. */
const HELD: Readonly<Record<NonNullable<NextRequest['because']>, string>> = {
  epoch: ' in this epoch',
  results: ' in results',
  stub: ' with a stub',
};

/** What is still sent of tools that are off, such as `1,631 tokens still sent in this epoch`. Undefined for nothing. */
export function stillSent({ tools, because }: NextRequest): string | undefined {
  return tools
    ? `${formatNumber(tools)} tokens still sent${because ? HELD[because] : ''}`
    : undefined;
}

/** What the next request holds of tools, beside all schemas. */
export function toolsWords(next: NextRequest, areToolsOn: boolean): string {
  const { tools, all } = next;
  if (!areToolsOn) return ['tools off', stillSent(next) ?? []].flat().join(', ');
  if (all === 0) return 'no tools';
  if (tools === undefined || all === undefined) return 'tools';
  return `tools ${formatNumber(tools)} of ${formatNumber(all)} tokens`;
}

/** What the next request is made of. */
interface NextSources {
  readonly turns: readonly ScreenTurn[];
  readonly session: Pick<Session, 'entries'> | undefined;
  readonly settings: {
    readonly areToolsOn: boolean;
    readonly role: string | null;
    readonly strategy: StrategyChoice | undefined;
  };
  readonly roles: Readonly<Record<string, RoleSettings>>;
  readonly model: string | undefined;
  readonly fold: AgentFold;
}

/** What the next request holds, and in words: of tools, and with the conversation in one line. */
export interface Next extends NextRequest {
  readonly words: string;
  readonly line: string;
}

/** What the next request holds, for surfaces that show it when they are asked. */
export async function nextOf(sources: NextSources): Promise<Next> {
  const { turns, session, settings, roles, model, fold } = sources;
  const { role, strategy } = settings;
  const areToolsOn = mayHaveTools(settings, roles);
  const sent = session && sentWith(session.entries);
  const now = { model, role: role ?? undefined, strategy, sent };
  const plan = await planNow(fold, { model, role, strategy: plannedStrategy(turns, now) });
  const next = nextRequest(turns, { areToolsOn, plan, ...now });
  return { ...next, words: toolsWords(next, areToolsOn), line: nextWords(next, areToolsOn) };
}
