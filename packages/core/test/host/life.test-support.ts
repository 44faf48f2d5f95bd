import type { ToolRequest } from '../../src/calls/tool-request.ts';
import { type HookedCall, Hooks } from '../../src/host/hooks.ts';
import { inputText } from '../../src/host/input-text.ts';
import { CallLife } from '../../src/host/life.ts';
import type {
  Approval,
  CallRecord,
  HostCall,
  Refused,
  Setting,
  UserApproval,
} from '../../src/host/records.ts';
import { approvalNeeded, callAgain, NOT_ASKED, type Refusal } from '../../src/host/refusal.ts';
import { lateCall, type ResolvedCall, resolveNow } from '../../src/host/resolve.ts';
import { callDigest } from '../../src/host/stamp.ts';
import type { CallVerdict } from '../../src/host/verdict.ts';
import { createToolLayer, type ToolLayer } from '../../src/session/layer.ts';
import type { Session } from '../../src/session/session.ts';
import type { DeferredToolGroup } from '../../src/tool/group.ts';
import type { StandardSchemaV1, Tool } from '../../src/tool/tool.ts';
import type { CallEvent } from '../../src/transcript/transcript.ts';

export const NAME = 'mail__send';

export type Verdict = (call: HookedCall) => CallVerdict | undefined;

/** The transform in the schema of a tool. */
export type Reading = (input: { readonly text: string }) => unknown;

export interface StandOptions {
  /** The verdict of the only hook. Undefined: there is no hook. */
  readonly verdict?: Verdict | undefined;
  readonly setting?: Setting;
  readonly reading?: Reading;
  readonly isOff?: boolean;
  /** The group does not list its tools. */
  readonly isUnlisted?: boolean;
  /** Shares the layer of another stand: another view or another process with the same tools. */
  readonly beside?: Stand;
}

/** The properties that vary between two calls of the tool. */
export interface Made {
  readonly id?: string;
  /** Default: the canonical name of the tool. */
  readonly name?: string;
  readonly input?: unknown;
  readonly conversation?: object;
  readonly metadata?: object | undefined;
  readonly approval?: UserApproval | undefined;
  readonly isForeign?: boolean;
}

/** A policy over a real layer of one group with one tool, with a minimal host. */
export class Stand {
  readonly layer: ToolLayer;
  readonly session: Session;
  readonly life: CallLife;
  /** Inputs that the hook saw, in order. */
  readonly consulted: unknown[] = [];
  /** Inputs that the setting was asked about, and whether the call bypassed `approve`. */
  readonly settled: { readonly input: unknown; readonly bypassed: boolean }[] = [];
  readonly events: CallEvent[] = [];
  verdict: Verdict | undefined;
  setting: Setting;
  /** The tool's own setting, for a call that has not bypassed `approve`. `setting` has precedence. */
  toolSetting: Setting | undefined;
  readonly #reading: Reading | undefined;
  readonly #isUnlisted: boolean;

  constructor(options: StandOptions = {}) {
    const { verdict, setting = { type: 'not-applicable' }, reading, isOff = false } = options;
    this.verdict = verdict;
    this.setting = setting;
    this.#reading = reading;
    this.#isUnlisted = options.isUnlisted === true;
    this.layer =
      options.beside?.layer ??
      createToolLayer({ groups: [this.group('Send.')], strategy: 'dispatch' });
    this.session = this.layer.session();
    const hook = (call: HookedCall) => {
      this.consulted.push(structuredClone(call.arguments));
      return this.verdict?.(call);
    };
    this.life = new CallLife({
      hooks: new Hooks(verdict ? { beforeToolCall: hook } : {}),
      resolve: (call, mayLoad) => this.resolve(call, mayLoad),
      session: this.session,
      isOff,
      onCall: (event) => this.events.push(event),
    });
  }

  /** The group. Another description gives its tool another definition. */
  group(description: string, reading: Reading | undefined = this.#reading): DeferredToolGroup {
    const schema = {
      type: 'object',
      properties: { text: { type: 'string' } },
      required: ['text'],
      additionalProperties: false,
    };
    const inputSchema = reading ? standard(schema, reading) : schema;
    const tool: Tool = { name: 'send', description, inputSchema, execute: () => 'sent' };
    return {
      groupId: 'mcp:mail',
      ...(this.#isUnlisted ? {} : { toolNames: ['send'] }),
      fingerprint: description,
      loader: async () => [tool],
    };
  }

  async load(): Promise<this> {
    const entry = this.session.find(NAME);
    if (entry) await this.turn().load([entry]);
    return this;
  }

  /** Changes the definition of the tool. */
  async change(description = 'Send, and tell everybody.', reading?: Reading): Promise<void> {
    this.layer.update([this.group(description, reading)]);
    await this.load();
  }

  turn(): ToolRequest {
    return this.session.turn([]);
  }

  /** The present binding of the tool. */
  binding(): string {
    const entry = this.session.find(NAME);
    return entry ? this.session.bindingOf(entry) : '';
  }

  /** The user's approval of a call, as the messages contain it. */
  approval(
    input: unknown = { text: 'a' },
    binding: string | undefined = this.binding(),
  ): UserApproval {
    return { binding, digests: { c: callDigest(NAME, input) }, wireName: NAME };
  }

  /** A call arrives from the model. Returns the call in the host. */
  async arrive(made: Made = {}): Promise<Made & { readonly kind: string }> {
    const { id = 'c1', input = { text: 'a' } } = made;
    const turn = this.turn();
    const entry = this.session.find(NAME);
    const resolved =
      entry && !turn.isReady(entry)
        ? lateCall(id, NAME, input, entry)
        : await resolveNow(turn, { id, name: NAME, input });
    const record = this.#begun(id);
    const refuse = (refusal: Refusal) => {
      record.refused = { refusal, isDenied: false, isRepairable: true, isReported: true };
    };
    const step = {
      turn,
      signal: undefined,
      offered: { has: () => true },
      isKnown: () => true,
      canAsk: () => true,
    };
    if (resolved.kind === 'answer') refuse(resolved);
    else await this.life.arrive(record, resolved, step);
    if (record.refused) record.refused = { ...record.refused, isReported: true };
    return this.#keep(record, record.refused ? input : record.resolved?.input, made);
  }

  /** A call that the user cannot be asked about is refused on arrival. */
  async arriveUnasked(made: Made = {}): Promise<Made> {
    const { id = 'c1', input = { text: 'a' } } = made;
    const refusal = approvalNeeded(NAME, NOT_ASKED);
    const record = this.#begun(id);
    record.refused = { refusal, isDenied: true, isRepairable: false, isReported: true };
    return this.#keep(record, input, made);
  }

  /** The host asks for approval of a call. */
  approve(made: Made = {}, isByTool = false): Promise<Approval> {
    return this.life.approve(this.call(made), this.#found, isByTool);
  }

  /** The tool is about to run. */
  async admit(made: Made = {}): Promise<Ticket> {
    const { refused, permit } = await this.life.admit(this.call(made), this.#found);
    if (refused) return { kind: 'withheld', isUnasked: false, ...refused };
    return { kind: 'permit', resolved: permit?.resolved as ResolvedCall };
  }

  call(made: Made = {}): HostCall {
    const { id = 'c1', input = { text: 'a' }, conversation = HERE, metadata, approval } = made;
    const { name = NAME, isForeign = false } = made;
    const turn = () => this.turn();
    const isRunHere = !isForeign;
    const about = {
      metadata,
      approval,
      signal: undefined,
      isForeign,
      isRunHere,
      binding: undefined,
    };
    return { id, name, input, conversation, ...about, turn };
  }

  async resolve(
    { id, name, input, isForeign }: HostCall,
    mayLoad: boolean,
  ): Promise<ResolvedCall | Refusal> {
    const entry = this.session.find(name);
    const turn = this.turn();
    if (!mayLoad && (entry ? !turn.isReady(entry) : turn.mayAppear(name)))
      return lateCall(id, name, input, entry);
    const found = await resolveNow(turn, { id, name, input });
    if (found.kind === 'answer') return found;
    return found.name === name ? { ...found, isForeign } : callAgain(found.name);
  }

  /** Makes the life drop all records of calls from the model that have no metadata. */
  forgetArrivals(): void {
    const other = { view: this.life, name: NAME, expected: '' } as const;
    for (let index = 0; index <= 1_000; index++)
      this.life.records.arrive({ ...other, id: `other ${index}`, metadata: {} });
  }

  /** Makes the policy drop all questions to users. */
  async forgetQuestions(): Promise<void> {
    const { setting, verdict } = this;
    this.setting = { type: 'user-approval' };
    this.verdict = () => undefined;
    const calls = Array.from({ length: 1_001 }, (_, index) => ({ id: `other ${index}` }));
    for (const call of calls) await this.approve({ ...call, conversation: {} });
    Object.assign(this, { setting, verdict });
  }

  readonly #found = async (resolved: ResolvedCall, bypassed: boolean): Promise<Setting> => {
    this.settled.push({ input: resolved.final, bypassed });
    if (this.toolSetting && resolved.isLate) return { type: 'unknown' };
    return this.toolSetting && !bypassed ? this.toolSetting : this.setting;
  };

  #begun(id: string): CallRecord {
    return { view: this.life, id, name: NAME, expected: '' };
  }

  #keep(record: CallRecord, input: unknown, made: Made): Made & { readonly kind: string } {
    const metadata = 'metadata' in made ? made.metadata : {};
    const begun = { metadata, turn: this.turn(), expected: inputText(input), wireName: NAME };
    this.life.records.arrive({ ...record, ...begun });
    return { id: record.id, input, metadata, kind: record.refused ? 'refused' : 'allowed' };
  }
}

/** What came of a call when its tool was about to run. */
type Ticket =
  | { readonly kind: 'permit'; readonly resolved: ResolvedCall }
  | ({ readonly kind: 'withheld' } & Refused);

const HERE = {};

/** A schema with a transform. */
function standard(schema: object, reading: Reading): Tool['inputSchema'] {
  const side = {
    version: 1 as const,
    vendor: 'stand',
    jsonSchema: { input: () => ({ ...schema }) },
    validate: (value: unknown) => ({ value: reading(value as { text: string }) }),
  };
  return { '~standard': side } as StandardSchemaV1 as Tool['inputSchema'];
}
