import { isDeepStrictEqual } from 'node:util';
import type { LanguageModelV4 } from '@ai-sdk/provider';
import type { Reply, ReplyCall } from '@toolfold/testing/internal/doubles/model-server.ts';
import type { RecordedRequest } from '@toolfold/testing/internal/wire/recorded-request.ts';
import { type LanguageModel, type ToolSet, tool } from 'ai';
import { z } from 'zod';
import {
  createFold,
  type FoldOptions,
  type HookedCall,
  type WithOptions,
} from '../../src/index.ts';
import { POLICIES, type PolicyName } from './rules.test-support.ts';
import { DIALECTS, type StrategyName } from './strategies.test-support.ts';
import type { Way } from './way.test-support.ts';

export const KINDS = ['own', 'own, dispatched', 'group, dispatched', 'group, native call'] as const;
export const POSITIONS = ['first', 'later'] as const;
export const LOADS = ['loaded', 'not loaded'] as const;
export const MODES = ['generateText', 'streamText', 'agent', 'agent UI'] as const;
/** How the app uses `toolApproval`: spread, left out, or replaced by its own. */
export const FIELDS = ['third field', 'two fields', 'overridden'] as const;
export const ANSWERS = ['yes', 'no'] as const;

/** The coordinates of a case in the table. */
export interface Coordinates {
  readonly strategy: StrategyName;
  readonly way: string;
  readonly policy: PolicyName;
  readonly kind: (typeof KINDS)[number];
  readonly field: (typeof FIELDS)[number];
  readonly position: (typeof POSITIONS)[number];
  readonly load: (typeof LOADS)[number];
  readonly mode: (typeof MODES)[number];
  /** The user's answer to a question. */
  readonly answer: (typeof ANSWERS)[number];
}

export function nameOf(at: Coordinates): string {
  const { strategy, way, policy, kind, field, position, load, mode, answer } = at;
  return [way, strategy, policy, kind, position, load, mode, field, answer].join(' | ');
}

export const isOwn = ({ kind }: Coordinates): boolean => kind.startsWith('own');
/** The loader may not have run when the response arrives: only the text of the call is known. */
export const isUnknownYet = (at: Coordinates): boolean =>
  !isOwn(at) && at.position === 'later' && at.load === 'not loaded' && at.strategy !== 'eager';

/** All fields of `fold.with`. */
export interface Fields {
  readonly model: LanguageModel;
  readonly tools: ToolSet;
  readonly toolApproval?: unknown;
}

export interface Run {
  readonly tool: string;
  readonly input: unknown;
  readonly id: string;
}

/** The differences of a fold from the first fold of the trial. */
export interface Changes {
  readonly policy?: PolicyName;
  readonly description?: string;
  readonly schema?: z.ZodType;
}

const DEFAULT_INPUT = { text: 'a' };
const DEFAULT_SCHEMA = z.object({ text: z.string() });

/** One case: its tools, fold, hooks and logs. */
export class Trial {
  readonly at: Coordinates;
  readonly way: Way;
  /** Every run of a tool, in order. */
  readonly runs: Run[] = [];
  /** Every call that a hook saw, in order. */
  readonly seen: HookedCall[] = [];
  readonly warnings: string[] = [];
  /** Aborts the turn; see `Way.abortedBy`. */
  readonly controller: AbortController = new AbortController();
  repairs = 0;
  /** The name of the tool under test in the SDK. */
  readonly target: string;
  readonly written: unknown;
  readonly final: unknown;
  readonly #model: LanguageModelV4;

  constructor(at: Coordinates, way: Way, model: LanguageModelV4) {
    this.at = at;
    this.way = way;
    this.#model = model;
    this.target = way.target?.(at) ?? (isOwn(at) ? 'post' : 'mail__send');
    this.written = way.written ?? DEFAULT_INPUT;
    this.final = way.final ?? this.written;
  }

  /** A new fold, and its fields as the app passes them on. */
  open(changes: Changes = {}): Fields {
    const whole = this.way.view?.(this, changes) ?? this.with(changes);
    const made = this.way.fields?.(whole, this) ?? whole;
    if (this.at.field === 'third field') return made;
    const { model, tools } = made;
    if (this.at.field === 'two fields') return { model, tools };
    return { model, tools, toolApproval: this.way.override?.(this) ?? (() => undefined) };
  }

  /** The fields of `fold.with`, unchanged. */
  with({ policy = this.at.policy, ...changes }: Changes = {}): Fields {
    const fold = createFold({
      tools: this.#ownTools(policy, changes),
      groups: [
        {
          groupId: 'mcp:mail',
          description: 'The mail server.',
          toolNames: ['send', 'peek'],
          loader: async () => ({
            send: this.#tool('mail__send', policy, changes),
            peek: this.#harmless('mail__peek'),
          }),
        },
      ],
      strategy: this.at.strategy,
      // The folds of two views load their groups separately: the fold of the tools has to load here.
      ...(this.way.name.includes('another view') ? { loads: 'steps' } : {}),
      countTokens: (text: string) => text.length / 4,
      ...DIALECTS[this.at.strategy].options,
      onWarning: (text: string) => this.warnings.push(text),
    } as FoldOptions<ToolSet>);
    const hook = POLICIES[policy].hook;
    const options = {
      ...(hook && {
        hooks: {
          beforeToolCall: (call: HookedCall) => {
            this.seen.push(structuredClone(call));
            if (call.name === this.target) this.#abort('hook');
            return call.name === this.target ? hook(call.arguments, this.final) : undefined;
          },
        },
      }),
      ...(this.way.app && { toolApproval: this.way.app(this) }),
      ...(this.way.abortedBy === 'observer' && {
        observers: {
          started: async ({ name }: { name: string }) => {
            if (name === this.target) this.#abort('observer');
          },
        },
      }),
    };
    return fold.with(this.#model, options as WithOptions) as Fields;
  }

  /** A fold's fields without any policy, over the same tools. */
  free(): Fields {
    return this.with({ policy: 'needsApproval never' });
  }

  /** The model's replies in order. Every further request gets a short text. */
  replies(): Reply[] {
    const { load } = DIALECTS[this.at.strategy];
    const loads = this.at.load === 'loaded' && !isOwn(this.at) && load;
    const earlier: ReplyCall[] =
      this.at.position === 'later' ? [{ name: 'note', arguments: { text: 'n' } }] : [];
    const calls = this.way.calls?.(this) ?? [this.call(this.written)];
    const again = this.way.callsAgain?.(this);
    return [
      ...(loads ? [{ calls: [load()] }] : []),
      { calls: [...earlier, ...calls] },
      ...(again ? [{ calls: again }] : []),
    ];
  }

  #abort(where: Way['abortedBy']): void {
    if (this.way.abortedBy === where) this.controller.abort();
  }

  /** A call of the tool under test, with the input of the case. */
  call(input: unknown, name: string = this.target): ReplyCall {
    const { dispatch } = DIALECTS[this.at.strategy];
    const isDispatched = this.at.kind.endsWith('dispatched');
    if (isDispatched && dispatch) return dispatch(name, input);
    return { name, arguments: input as object | string };
  }

  isFinal(input: unknown): boolean {
    return isDeepStrictEqual(input, this.final);
  }

  #ownTools(policy: PolicyName, changes: Changes): ToolSet {
    const own = this.#tool('post', policy, changes);
    return { note: this.#harmless('note'), post: own, ...this.way.tools?.(this, policy) };
  }

  #harmless(name: string): ToolSet[string] {
    return this.made(name, { inputSchema: DEFAULT_SCHEMA, description: `Use ${name}.` });
  }

  #tool(name: string, policy: PolicyName, changes: Changes): ToolSet[string] {
    const { needsApproval } = POLICIES[policy];
    return this.made(name, {
      description: changes.description ?? 'Send a text.',
      inputSchema: changes.schema ?? this.way.schema ?? DEFAULT_SCHEMA,
      ...(needsApproval && name === this.target
        ? { needsApproval: (input: unknown) => needsApproval(input, this.final) }
        : {}),
      ...(name === this.target ? this.way.tool : {}),
    });
  }

  /** A tool that logs its runs. */
  made(name: string, rest: object): ToolSet[string] {
    const execute = (input: unknown, { toolCallId: id }: { toolCallId: string }) => {
      this.runs.push({ tool: name, input: structuredClone(input), id });
      return `ran ${name}`;
    };
    return tool({ execute, ...rest } as never) as ToolSet[string];
  }
}

/** The outcome of a trial. */
export interface Outcome {
  readonly trial: Trial;
  readonly requests: readonly RecordedRequest[];
  /** The questions to the user, in order. */
  readonly asked: readonly { readonly toolName: string; readonly input: unknown }[];
  /** Names of tools whose calls the SDK reports as denied before the user answers. */
  readonly denied: readonly string[];
  /** The questions to the user in the turn after the answer. */
  readonly askedAgain: readonly { readonly toolName: string; readonly input: unknown }[];
  /** Runs before the user answers. */
  readonly runsBefore: number;
  readonly error?: unknown;
}
