import type { AllowedCall, AllowRule } from '@toolfold/config/internal/settings';
import { invalidOption, ToolfoldError } from '@toolfold/core/internal/errors.ts';
import { copyOf } from '@toolfold/core/internal/host';
import type { ToolLayer } from '@toolfold/core/internal/session';
import { isRecord, matchesTool, ownProperty, raceAbort } from '@toolfold/core/internal/values';
import { hasRecall, RECALL } from '../entries/index.ts';
import {
  type ApprovalAnswer,
  type ApprovalOptions,
  type ApprovalRequest,
  type ApprovalScope,
  type AskedBy,
  type DecisionSource,
  grantsOf,
  type PendingApproval,
} from '../events/index.ts';
import { SUBAGENTS } from '../tasks/index.ts';

/** The part of a tool layer that a policy reads. */
type Tools = Pick<ToolLayer, 'addressOf' | 'fingerprintOf' | 'hintsOf'>;

/** What a user is asked about a call, as far as answers are remembered by it. */
type ApprovalSubject = Pick<ApprovalRequest, 'name' | 'askedBy' | 'askKey'>;

/** An answer, and who gave it. */
interface SourcedAnswer extends ApprovalAnswer {
  readonly source: DecisionSource;
}

/** Decides which calls need the user's approval, and remembers the approvals that stay valid. */
export class ApprovalPolicy {
  readonly #options: ApprovalOptions;
  readonly #tools: Tools;
  /**
   * Fingerprints of approved tools, by name, and of tools whose questions by hooks are approved, by name
   * and key. A changed definition counts as another tool.
   */
  readonly #granted = new Map<string, string>();

  constructor(options: ApprovalOptions, tools: Tools) {
    this.#options = options;
    this.#tools = tools;
  }

  /** Whether a call of the tool with these arguments needs the user's approval. */
  requiresApproval(name: string, given: unknown): boolean {
    const { mode = 'annotations', allow = [] } = this.#options;
    const tools = this.#tools;
    if (mode === 'never' || this.#isGranted(name)) return false;
    // It reads what the conversation already held.
    if (name === RECALL && hasRecall(tools)) return false;
    // Each call of a subagent is checked by itself.
    if (mode === 'annotations' && name === SUBAGENTS) return false;
    if (isAllowedCall(allow, { name, arguments: given }, tools)) return false;
    return mode === 'always' || !this.isRead(name);
  }

  /** Whether a trusted source says that the tool only reads. */
  isRead(name: string): boolean {
    return this.#tools.hintsOf(name)?.readOnlyHint === true;
  }

  /** Whether the app can ask its user while the turn waits. */
  get canAsk(): boolean {
    return this.#options.ask !== undefined;
  }

  /**
   * Asks the user and returns the answer. Denies if the app cannot ask. Rejects if the app's `ask`
   * rejects and when the signal fires.
   */
  async settle(request: ApprovalRequest): Promise<SourcedAnswer> {
    const { name, signal } = request;
    if (this.#isAnswered(request)) return { approved: true, source: 'grant' };
    const { ask } = this.#options;
    if (!ask)
      return {
        approved: false,
        reason: 'The call needs approval, and this application cannot ask its user.',
        source: 'policy',
      };
    const definition = this.#tools.fingerprintOf(name);
    // Without a definition an approval for the session would hold for any tool of this name.
    const question = definition === undefined ? withoutKey(request) : request;
    // An app may mask what it shows.
    const shown = { ...question, arguments: copyOf(question.arguments) };
    const answer = await raceAbort(ask(shown), signal);
    checkAnswer(answer, 'approvals.ask()');
    const isSame = definition === this.#tools.fingerprintOf(name);
    return this.take(question, isSame ? answer : { ...answer, scope: 'once' });
  }

  /**
   * Takes an answer of the user, with the scope that holds for the question. Stores an approval whose scope is longer
   * than `once`, and those of further tools. It is valid for this definition of the tool.
   */
  take(question: ApprovalSubject, answer: ApprovalAnswer): SourcedAnswer {
    const { name, askedBy, askKey } = question;
    const definition = this.#tools.fingerprintOf(name);
    // Without a definition a longer approval would hold for any tool of this name.
    const known: ApprovalAnswer = definition === undefined ? { ...answer, scope: 'once' } : answer;
    const settled: SourcedAnswer = { ...withinScope(question, known), source: 'user' };
    for (const one of grantsOf({ ...settled, askedBy })) this.grant(one.name, one.fingerprint);
    const { approved, scope = 'once' } = settled;
    if (!approved || scope === 'once' || definition === undefined) return settled;
    if (askedBy === 'setting') {
      this.grant(name, definition);
      if (scope === 'always') this.#options.onAlways?.(name);
    } else if (askKey !== undefined) this.grant(name, definition, askKey);
    return settled;
  }

  /** Makes an approval valid for the definition with this fingerprint. `askKey`: that of a hook's question. */
  grant(name: string, fingerprint: string, askKey?: string): void {
    this.#granted.set(keyText(name, askKey), fingerprint);
  }

  /** Whether nobody has to be asked: an earlier answer, or for a question of the settings a setting, holds. */
  #isAnswered({ name, arguments: given, ...asked }: ApprovalRequest): boolean {
    const { reason, askedBy, askKey } = asked;
    if (reason !== undefined) return false;
    if (askedBy === 'setting') return !this.requiresApproval(name, given);
    return askKey !== undefined && this.#isGranted(name, askKey);
  }

  #isGranted(name: string, askKey?: string): boolean {
    const granted = this.#granted.get(keyText(name, askKey));
    return granted !== undefined && granted === this.#tools.fingerprintOf(name);
  }
}

function withoutKey({ askKey: _, ...request }: ApprovalRequest): ApprovalRequest {
  return request;
}

function keyText(name: string, askKey?: string): string {
  return JSON.stringify([name, askKey]);
}

/** Whether a value says clearly that a call is approved or not. It may come from an app or another process. */
export function isAnswer(value: unknown): value is ApprovalAnswer {
  return typeof ownProperty(value, 'approved') === 'boolean';
}

/** Throws `invalid-option` if no approval is pending, if an id is unknown, or if something is no answer. */
export function checkAnswers(
  pending: readonly PendingApproval[],
  answers: Readonly<Record<string, ApprovalAnswer>>,
): void {
  const ids = pending.map(({ approvalId }) => approvalId);
  const unknown = Object.keys(answers).find((id) => !ids.includes(id));
  if (unknown !== undefined || ids.length === 0) {
    throw new ToolfoldError(
      'invalid-option',
      unknown === undefined ? 'No approval is pending.' : `No approval "${unknown}" is pending.`,
      'Use the approval ids in `agent.pending`.',
    );
  }
  for (const [id, answer] of Object.entries(answers)) {
    checkAnswer(answer, `answers.${id}`);
  }
}

/** Throws `invalid-option` for what is no answer. `where`: the place that it comes from. */
function checkAnswer(answer: unknown, where: string): asserts answer is ApprovalAnswer {
  if (!isAnswer(answer)) throw invalidOption(where, '{ approved: true } or { approved: false }');
  const { scope, reason } = answer;
  if (scope !== undefined && !SCOPES.includes(scope))
    throw invalidOption(`${where}.scope`, SCOPES.map((one) => `"${one}"`).join(' or '));
  if (reason !== undefined && typeof reason !== 'string')
    throw invalidOption(`${where}.reason`, 'a text');
}

const SCOPES: readonly ApprovalScope[] = ['once', 'session', 'always'];

/** How long an approval of a call may hold: a hook's question has no approval for always. */
export function approvalScopes({
  askedBy,
  askKey,
}: Readonly<Partial<AskedBy>>): readonly ApprovalScope[] {
  if (askedBy === 'setting') return ['once', 'session', 'always'];
  return askKey === undefined ? ['once'] : ['once', 'session'];
}

/** The answer with the scope that holds for the question. */
export function withinScope(question: AskedBy, answer: ApprovalAnswer): ApprovalAnswer {
  if (question.askedBy === 'setting') return answer;
  const { tools: _, ...alone } = answer;
  const { approved, scope = 'once' } = answer;
  if (!approved || scope === 'once') return alone;
  return { ...alone, scope: approvalScopes(question).includes('session') ? 'session' : 'once' };
}

/** What the end of a text may consist of. No character has a meaning to a shell, in addresses or in patterns. */
const PLAIN = /^[A-Za-z0-9 _./,-]*$/;
const SCALARS = ['string', 'number', 'boolean'];
/** A text that is longer is not compared. */
const LONGEST = 10_000;

/**
 * Whether a list of globs, calls and tools allows this call, with its arguments as the tool gets them. What is not understood
 * allows nothing.
 */
export function isAllowedCall(
  allow: readonly AllowRule[],
  { name, arguments: given }: Pick<ApprovalRequest, 'name' | 'arguments'>,
  tools: Pick<ToolLayer, 'addressOf' | 'fingerprintOf'>,
): boolean {
  const address = tools.addressOf(name);
  return allow.some((one) => {
    if (typeof one === 'string') return matchesTool(one, address);
    const now = tools.fingerprintOf(name);
    if (now === undefined) return false;
    if ('tools' in one) return ownProperty(one.tools, name) === now;
    const { tool, definition = now } = one;
    return tool === name && definition === now && areAllowed(one.arguments, given);
  });
}

/** The arguments have the names of the pattern and no others, and each its value. */
function areAllowed(pattern: AllowedCall['arguments'], given: unknown): boolean {
  if (!isRecord(given) || !isRecord(pattern)) return false;
  const names = Reflect.ownKeys(given);
  return (
    names.length === Object.keys(pattern).length &&
    names.every((name) => {
      if (typeof name !== 'string' || !Object.hasOwn(pattern, name)) return false;
      const [value, allowed] = [given[name], pattern[name]];
      if (typeof value === 'string' && typeof allowed === 'string' && allowed.endsWith('*'))
        return goesOn(allowed.slice(0, -1), value);
      // A pattern that nobody has checked may hold a list, which is the same as itself.
      return value === allowed && (value === null || SCALARS.includes(typeof value));
    })
  );
}

/**
 * Whether a text is the beginning and goes on in the same place: a path below it, or further words that are no
 * options. A word must end where the beginning ends.
 */
export function goesOn(begin: string, text: string): boolean {
  if (!text.startsWith(begin) || text.length > LONGEST) return false;
  const rest = text.slice(begin.length);
  if (rest === '') return true;
  const border = /[/ ]$/.test(begin) ? begin.slice(-1) : rest.slice(0, 1);
  if (!PLAIN.test(rest) || (border !== '/' && border !== ' ')) return false;
  if (rest.split(/[ /]/).includes('..')) return false;
  if (border === '/') return !rest.includes(' ');
  const words = (begin.endsWith(' ') ? rest : rest.slice(1)).split(' ');
  return !words.some((word) => word.startsWith('-'));
}
