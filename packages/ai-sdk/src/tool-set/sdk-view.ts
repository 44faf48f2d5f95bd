import type { ToolRequest } from '@toolfold/core/internal/calls';
import { errorMessage } from '@toolfold/core/internal/errors.ts';
import {
  CallLife,
  type CallObserver,
  callAgain,
  codeOf,
  copyOf,
  type ExecutedCall,
  errorOf,
  type FindSetting,
  type Hide,
  type Hooks,
  type HostCall,
  type HostView,
  inputText,
  lateCall,
  plainCall,
  type Refusal,
  type ResolvedCall,
  type RunWith,
  resolveNow,
  type Setting,
} from '@toolfold/core/internal/host';
import type { Session } from '@toolfold/core/internal/session';
import type { CallHost } from '@toolfold/core/internal/tool';
import type { CallEvent } from '@toolfold/core/internal/transcript';
import { oncePerKey, Recent } from '@toolfold/core/internal/values';
import { type ModelMessage, NoSuchToolError, type Tool as SdkTool, type ToolSet } from 'ai';
import { type ModelOutput, readModelOutput } from '../messages/index.ts';
import {
  type AppApproval,
  type ApprovalQuestion,
  appApproval,
  approvalIn,
  contextOf,
} from './app-approval.ts';
import { type LiveSet, Marks } from './live-set.ts';
import type { SdkBackedTool } from './own-tools.ts';
import type { SdkSchemas } from './sdk-schema.ts';
import type { FieldWarnings } from './warnings.ts';

type SdkExecuteOptions = Parameters<NonNullable<SdkTool['execute']>>[1];
/** The options that the AI SDK passes to a tool's `needsApproval`. */
export type PointOptions = Pick<SdkExecuteOptions, 'toolCallId' | 'messages' | 'context'> & {
  readonly abortSignal?: AbortSignal | undefined;
};

interface SdkViewInputs {
  readonly toolApproval: AppApproval | undefined;
  readonly observers: readonly CallObserver[];
  readonly onExecute: ((call: ExecutedCall, running: Promise<unknown>) => void) | undefined;
  readonly runWith: RunWith | undefined;
  readonly hide: Hide | undefined;
  readonly callHost:
    | ((call: Pick<ExecutedCall, 'id' | 'name'>) => CallHost | undefined)
    | undefined;
  readonly session: Session;
  readonly hooks: Hooks;
  /** The app's tools that the view allows, as the app defined them. */
  readonly own: ToolSet;
  /** The schemas of the fold. */
  readonly schemas: SdkSchemas;
  /** The tool that answers calls of tools that the set does not have. */
  readonly executor: string;
  readonly isOff: boolean;
  /** All groups load in any case. */
  readonly isEager: boolean;
  /** The turn in which a real tool runs, from the messages before the call. */
  readonly turnOf: (messages: readonly ModelMessage[]) => ToolRequest;
  /** The turn in which a bridge tool runs. It shows only tools that the messages record as offered. */
  readonly bridgeTurnOf: (messages: readonly ModelMessage[]) => ToolRequest;
  readonly onCall: (event: CallEvent) => void;
  readonly warn: (text: string) => void;
}

/** Properties of a call that only some callers know. */
interface CallExtras {
  readonly metadata?: object | undefined;
  readonly binding?: string | undefined;
  readonly isForeign?: boolean;
}

/** The tools of one view, as the AI SDK calls them. */
export class SdkView implements HostView {
  readonly inputs: SdkViewInputs;
  readonly session: Session;
  readonly hooks: Hooks;
  readonly isOff: boolean;
  readonly onCall: (event: CallEvent) => void;
  readonly life: CallLife;
  readonly marks: Marks;
  readonly invalid: InvalidInputs = new InvalidInputs();
  readonly unknown: UnknownNames = new UnknownNames();
  readonly set: LiveSet;
  readonly warnings: FieldWarnings;
  /** Loaded tools by name, as of a version of the layer. */
  readonly #loaded = new Map<string, SdkBackedTool | undefined>();
  readonly #outputWarnings = oncePerKey((text) => this.inputs.warn(text));
  #version = -1;
  #extended = -1;

  constructor(
    inputs: SdkViewInputs,
    setOf: (view: SdkView) => LiveSet,
    warningsOf: (view: SdkView) => FieldWarnings,
  ) {
    this.inputs = inputs;
    this.marks = new Marks(inputs.schemas);
    this.session = inputs.session;
    this.hooks = inputs.hooks;
    this.isOff = inputs.isOff;
    this.onCall = inputs.onCall;
    this.life = new CallLife(this);
    this.set = setOf(this);
    this.warnings = warningsOf(this);
  }

  /** Adds tools to the set that have become known. */
  extend(): void {
    const { version } = this.session.tools;
    if (version !== this.#extended) this.set.extend();
    this.#extended = version;
  }

  /** Whether hooks or settings may require the user's approval. */
  get mayAsk(): boolean {
    return this.hooks.canDecide || this.inputs.toolApproval !== undefined;
  }

  /** A tool of this view, if it has loaded. */
  loadedTool(name: string): SdkBackedTool | undefined {
    const { session } = this;
    const { version } = session.tools;
    if (version !== this.#version) this.#loaded.clear();
    this.#version = version;
    if (this.#loaded.has(name)) return this.#loaded.get(name);
    const tool: SdkBackedTool | undefined = session.loadedTool(name);
    this.#loaded.set(name, tool);
    return tool;
  }

  /** Whether Toolfold runs a tool of this view, and not the client. */
  runs(name: string): boolean {
    const { own } = this.inputs;
    if (Object.hasOwn(own, name)) return own[name]?.execute !== undefined;
    return this.loadedTool(name)?.isClientSide !== true;
  }

  /** A call in the form for its life. */
  call(
    name: string,
    input: unknown,
    options: PointOptions,
    { metadata, binding, isForeign = false }: CallExtras = {},
  ): HostCall {
    // Code that runs tools without the SDK may pass no messages.
    const messages = options.messages ?? [];
    const { toolCallId: id = '', abortSignal: signal } = options;
    return {
      id,
      name,
      input,
      conversation: messages,
      metadata,
      binding,
      approval: approvalIn(messages, id, name, input),
      signal,
      isForeign,
      isRunHere: !isForeign && this.runs(name),
      turn: () => this.inputs.turnOf(messages),
    };
  }

  async resolve(call: HostCall, mayLoad: boolean): Promise<ResolvedCall | Refusal> {
    const { id, name, input, isForeign, signal } = call;
    if (isForeign) return { ...plainCall(id, name, input), isForeign };
    const { own, executor } = this.inputs;
    const entry = this.session.find(name);
    const ours = Object.hasOwn(own, name) ? own[name] : undefined;
    if (ours) return { ...plainCall(id, name, input, entry), isForeign: !ours.execute };
    const turn = call.turn();
    const isLate = entry ? !turn.isReady(entry) : name !== executor && turn.mayAppear(name);
    if (isLate && !mayLoad) return lateCall(id, name, input, entry);
    const found = await resolveNow(turn, { id, name, input }, signal ? { signal } : {});
    if (found.kind === 'answer') return found;
    // The name means a tool with another name: the model has to call that tool by its own name.
    if (found.name !== name) return callAgain(found.name);
    return this.runs(name) ? found : { ...found, isForeign: true };
  }

  /**
   * Finds the app's setting for a call, else the tool's own. `question`: what the AI SDK asks, if it asks.
   * `foreign`: a tool that does not belong to this view.
   */
  setting(options: PointOptions, question?: ApprovalQuestion, foreign?: SdkTool): FindSetting {
    return async (call, isBypassed) => {
      const { toolApproval } = this.inputs;
      const found =
        toolApproval && (await this.#appSetting(toolApproval, call, options, question, foreign));
      if (found) return found;
      return isBypassed ? { type: 'not-applicable' } : this.toolSetting(call, options, foreign);
    };
  }

  /** The setting that the app has for the call in its `toolApproval`. */
  async #appSetting(
    setting: AppApproval,
    call: ResolvedCall,
    options: PointOptions,
    question?: ApprovalQuestion,
    foreign?: SdkTool,
  ): Promise<Setting | undefined> {
    const { toolCallId, messages } = options;
    const tools = this.inputs.own;
    const asked = question ?? { tools, toolsContext: {}, runtimeContext: undefined, messages };
    const toolCall = question?.toolCall ?? { toolCallId, toolName: call.name };
    let isUnknown = false;
    const found = await appApproval(
      setting,
      {
        ...asked,
        // What the app changes in it does not run.
        toolCall: { ...toolCall, input: copyOf(call.final) },
        needsApproval: async () => {
          const { type } = await this.toolSetting(call, options, foreign);
          isUnknown ||= type === 'unknown';
          return type === 'user-approval';
        },
      },
      this.inputs.warn,
    );
    // The app's function asked for the tool's `needsApproval`, which is not known yet.
    return found?.type === 'not-applicable' && isUnknown ? { type: 'unknown' } : found;
  }

  /** The setting from the tool's `needsApproval`. `foreign`: a tool that does not belong to this view. */
  async toolSetting(
    { name, tool, final, isLate }: ResolvedCall,
    { toolCallId, messages, context: given }: PointOptions,
    foreign?: SdkTool,
  ): Promise<Setting> {
    if (isLate) return { type: 'unknown' };
    const { own } = this.inputs;
    const ofSdk = foreign ?? (Object.hasOwn(own, name) ? own[name] : undefined);
    const deferred: SdkBackedTool | undefined = ofSdk ? undefined : tool?.tool;
    const context = deferred ? await contextOf(deferred.name, deferred, given) : given;
    const owner = ofSdk ?? deferred;
    const needsApproval =
      typeof owner?.needsApproval === 'function'
        ? await owner.needsApproval(copyOf(final), { toolCallId, messages, context })
        : owner?.needsApproval;
    return { type: needsApproval ? 'user-approval' : 'not-applicable' };
  }

  /** Warns the developer of failures that only the host can fix. */
  warnOf(refusal: Refusal): void {
    const code = codeOf(refusal);
    if (code === 'loader-failed' || code === 'unknown-tool')
      this.inputs.warn(errorOf(refusal).message);
  }

  /**
   * What the `toModelOutput` of a tool that has run makes of its result. If it fails, the model reads that, without
   * secrets, and the developer is warned, once for each tool.
   */
  modelOutput(name: string, convert: () => unknown): ModelOutput | PromiseLike<ModelOutput> {
    return readModelOutput(convert, (error) => {
      const { hide } = this.inputs;
      const why = hide ? hide(errorMessage(error)) : errorMessage(error);
      this.#outputWarnings(name, `"${name}" has run, and its \`toModelOutput\` failed: ${why}`);
      return why;
    });
  }
}

type Validated =
  | { readonly success: true; readonly value: unknown }
  | { readonly success: false; readonly error: Error };

/** Maximum number of pending inputs. The oldest are dropped. */
const LIMIT = 1_000;

/**
 * Inputs from the model that were found invalid, with the answer for the model. The SDK's validator
 * refuses them too, so that the app's `repairToolCall` gets them. The validator sees only the input,
 * so the input is the key. The tool itself refuses an input that was dropped here.
 */
class InvalidInputs {
  readonly #kept = new Recent<{ readonly text: string; readonly times: number }>(LIMIT);

  keep(toolName: string, input: unknown, text: string): void {
    const key = keyOf(toolName, input);
    this.#kept.set(key, { text, times: (this.#kept.get(key)?.times ?? 0) + 1 });
  }

  /**
   * A validator for one tool. It refuses each call once, because the SDK validates stored inputs again
   * and these must be valid.
   */
  validator(toolName: string): (value: unknown) => Validated {
    return (value) => {
      if (this.#kept.size === 0) return { success: true, value };
      const key = keyOf(toolName, value);
      const kept = this.#kept.get(key);
      if (!kept) return { success: true, value };
      const { text, times } = kept;
      if (times > 1) this.#kept.set(key, { text, times: times - 1 });
      else this.#kept.delete(key);
      return { success: false, error: new Error(text) };
    };
  }
}

/**
 * Names from the model that no tool has, with the refusals. The set answers for every name, so the SDK would find a tool.
 * Where it asks for the schema of that tool, it gets the error that it has for an unknown tool, so that the app's
 * `repairToolCall` gets the call.
 */
class UnknownNames {
  readonly #kept = new Recent<{ readonly refusal: Refusal; readonly times: number }>(LIMIT);
  /** The names that the set does not list and the model has called. */
  readonly #called = new Recent<true>(LIMIT);
  /** The last error, until the next response: its call may be repaired. */
  #thrown: Error | undefined;

  /** Called when a response begins. */
  begin(): void {
    this.#thrown = undefined;
  }

  /** The model has called a name that the set does not list. */
  noteCall(name: string): void {
    this.#called.set(name, true);
  }

  keep(name: string, refusal: Refusal): void {
    this.noteCall(name);
    this.#kept.set(name, { refusal, times: (this.#kept.get(name)?.times ?? 0) + 1 });
  }

  /** Whether a call had this name, and no tool. */
  has(name: string): boolean {
    return this.#kept.get(name) !== undefined;
  }

  /**
   * Throws once for each call, and for a name that no call had: a repair may give only names that the set lists.
   * `names`: the tools that the app may choose from. The model does not read them.
   */
  check(name: string, names: () => readonly string[]): void {
    const kept = this.#kept.get(name);
    if (this.#thrown && !kept && !this.#called.get(name)) throw this.#thrown;
    if (!kept || kept.times === 0) return;
    this.#kept.set(name, { ...kept, times: kept.times - 1 });
    this.#thrown = unknownToSdk(name, kept.refusal, names());
    throw this.#thrown;
  }
}

/** The refusal as an error that `NoSuchToolError.isInstance` accepts. Its string is the answer for the model. */
function unknownToSdk(
  toolName: string,
  refusal: Refusal,
  availableTools: readonly string[],
): Error {
  const {
    name,
    message: _message,
    cause: _cause,
    ...marks
  } = new NoSuchToolError({ toolName, message: '' });
  return Object.assign(errorOf(refusal), marks, { name, availableTools });
}

function keyOf(toolName: string, input: unknown): string {
  return JSON.stringify([toolName, inputText(input)]);
}
