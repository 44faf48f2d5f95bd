import { jsonSchema, type ToolSet, tool } from 'ai';
import type {
  FoldOptions,
  HookedCall,
  SdkToolGroup,
  ToolHooks,
} from '../../packages/ai-sdk/src/index.ts';
import { type Knowledge, runnable } from './knowledge.ts';
import type { Random } from './random.ts';
import { type GroupSpec, makeSpecs, type Needs, type ToolSpec } from './tool-specs.ts';

/** One run of a tool, recorded by the tool itself. */
export interface Run {
  readonly id: string;
  readonly tool: string;
  readonly input: unknown;
  readonly turn: number;
  isSettled: boolean;
}

/** The rules during a turn. */
export interface TurnRules {
  readonly number: number;
  /** Names of the tools that the app offers; all if undefined. */
  readonly active: readonly string[] | undefined;
  readonly areToolsOn: boolean;
  /** The groups of the role; all if undefined. */
  readonly roleGroups: readonly string[] | undefined;
  /** Called when a tool starts. */
  readonly onRun: (hangs: boolean) => void;
  readonly released: Promise<void>;
}

export const CHANGED = 'changed by a hook';
export const NARROW_GROUPS: readonly string[] = ['mcp:alpha'];

/** The tools, groups and rules of a session, and the runs of its tools. */
export class World {
  readonly own: readonly ToolSpec[];
  readonly groups: readonly GroupSpec[];
  readonly runs: Run[] = [];
  /** Violations of policy by tools that ran. */
  readonly offences: string[] = [];
  /** By call id, the approved input as JSON. */
  readonly approved: Map<string, string> = new Map();
  knowledge: Knowledge = {};
  rules: TurnRules | undefined;

  constructor(random: Random, needs: Needs) {
    const { own, groups } = makeSpecs(random, needs);
    this.own = own;
    this.groups = groups;
  }

  /** All tools of the session, whether they exist now or not. */
  get specs(): readonly ToolSpec[] {
    return [...this.own, ...this.groups.flatMap(({ tools }) => tools)];
  }

  /** Options of a fold in a process with the present knowledge. */
  foldOptions(): FoldOptions<ToolSet> {
    const hidden = this.specs.filter(({ rule }) => rule === 'hidden').map(({ name }) => name);
    return {
      tools: Object.fromEntries(this.own.map((spec) => [spec.name, this.#tool(spec)])),
      groups: this.sdkGroups(),
      exposure: Object.fromEntries(hidden.map((name) => [name, 'hidden' as const])),
      roles: { narrow: { groups: NARROW_GROUPS } },
    };
  }

  /** The groups as a fold receives them now. */
  sdkGroups(): SdkToolGroup[] {
    return this.groups.flatMap((group) => this.#group(group));
  }

  readonly hooks: ToolHooks = {
    beforeToolCall: ({ name, arguments: given }: HookedCall) => {
      const spec = this.specs.find((one) => one.name === name);
      if (spec?.rule === 'denied') return { deny: `${name} is denied.` };
      if (spec?.rule === 'asks' && spec.asker === 'hook') return { ask: true };
      if (spec?.rule === 'changes') return { arguments: { ...given, text: CHANGED } };
      return undefined;
    },
  };

  /** The tools whose `toolApproval` asks. */
  get setting(): Record<string, 'user-approval'> {
    const asking = this.specs.filter(({ rule, asker }) => rule === 'asks' && asker === 'setting');
    return Object.fromEntries(asking.map(({ name }) => [name, 'user-approval' as const]));
  }

  #group(group: GroupSpec): SdkToolGroup[] {
    const { groupId } = group;
    const way = this.knowledge[groupId] ?? 'whole';
    if (way === 'missing') return [];
    const listed = way === 'fewer' ? group.tools.slice(1) : group.tools;
    const remark = way === 'other' ? ' Changed since.' : '';
    const made = Object.fromEntries(
      listed.map((spec) => [spec.bareName, this.#tool(spec, remark)]),
    );
    const loader = async (): Promise<ToolSet> => {
      if (way === 'failing') throw new Error(`${groupId} is down`);
      return made;
    };
    // It changes when the result of the loader changes.
    const fingerprint = `${groupId}${remark} ${listed.length}`;
    const names = way === 'nameless' ? {} : { toolNames: listed.map(({ bareName }) => bareName) };
    const description = `The group ${groupId}.`;
    const format = groupId.startsWith('mcp:') ? { resultFormat: 'mcp' as const } : {};
    return [{ groupId, description, loader, fingerprint, ...names, ...format }];
  }

  #tool(spec: ToolSpec, remark = ''): ToolSet[string] {
    const { name, rule, asker } = spec;
    return tool({
      description: `Does ${spec.behaviour.name}.${remark}`,
      inputSchema: jsonSchema({
        type: 'object',
        properties: {
          text: { type: 'string', minLength: 1 },
          count: { type: 'integer', minimum: 1 },
        },
        required: ['text'],
        additionalProperties: false,
      }),
      needsApproval: rule === 'asks' && asker === 'tool',
      execute: (input: unknown, { toolCallId, abortSignal }: never) =>
        this.#run(spec, { id: toolCallId, name, input, signal: abortSignal }),
    } as never) as ToolSet[string];
  }

  #run(
    spec: ToolSpec,
    { id, input, signal }: { id: string; name: string; input: unknown; signal?: AbortSignal },
  ): unknown {
    const offence = this.#offence(spec, id, input);
    if (offence) this.offences.push(`${spec.name} (${id}): ${offence}`);
    const run: Run = {
      id,
      tool: spec.name,
      input,
      turn: this.rules?.number ?? -1,
      isSettled: false,
    };
    this.runs.push(run);
    this.rules?.onRun(spec.behaviour.hangs === true);
    const released = this.rules?.released ?? Promise.resolve();
    const settle = () => {
      run.isSettled = true;
    };
    try {
      const output = spec.behaviour.run({ input, signal, released });
      if (output instanceof Promise) {
        output.then(settle, settle);
        return output;
      }
      settle();
      return output;
    } catch (error) {
      settle();
      throw error;
    }
  }

  /** Why the tool must not run now; undefined if it may. */
  #offence(spec: ToolSpec, id: string, input: unknown): string | undefined {
    const { rules } = this;
    if (!rules) return 'it ran outside a turn';
    if (spec.rule === 'hidden') return 'it is hidden';
    if (spec.rule === 'denied') return 'a hook denies it';
    if (!rules.areToolsOn) return 'tools are off';
    // A tool that was active when the user was asked may run after the user's approval.
    const isOffered = rules.active?.includes(spec.name) ?? true;
    if (!isOffered && !this.approved.has(id)) return 'it is not active';
    const group = this.groups.find(({ groupId }) => groupId === spec.groupId);
    if (group && rules.roleGroups?.includes(group.groupId) === false) return 'the role lacks it';
    if (group && !runnable(group, this.knowledge).includes(spec)) return 'it no longer exists';
    const text = (input as { text?: unknown } | null)?.text;
    if (typeof text !== 'string' || text === '') return 'its arguments are not valid';
    if (spec.rule === 'changes' && text !== CHANGED) return 'the hook has not changed its input';
    if (spec.rule !== 'asks') return undefined;
    const approved = this.approved.get(id);
    if (approved === undefined) return 'nobody approved it';
    return approved === JSON.stringify(input) ? undefined : 'other arguments were approved';
  }
}
