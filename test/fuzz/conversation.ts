import { isDeepStrictEqual } from 'node:util';
import type { ToolSet } from 'ai';
import { createFold, type Fold } from '../../packages/ai-sdk/src/index.ts';
import { AgentHost } from './agent-host.ts';
import type { Host, View } from './host.ts';
import type { Knowledge } from './knowledge.ts';
import type { Setting } from './plan.ts';
import type { Sent } from './prefix.ts';
import type { Random } from './random.ts';
import { TextHost } from './text-host.ts';
import { CHANGES, type Changeable } from './turns.ts';
import { UiHost } from './ui-host.ts';
import type { Wire } from './wire.ts';
import type { World } from './world.ts';

/** A conversation and its process, with everything that may change between two turns. */
export class Conversation {
  host: Host;
  view: View;
  areToolsOn = true;
  /** The request that the next one must extend; undefined if a new epoch may begin. */
  base: Sent | undefined;
  readonly #setting: Setting;
  readonly #world: World;
  readonly #wire: Wire;
  #difference: string | undefined;
  #which: 0 | 1 = 0;
  /** What the process knew about the tools when it began. */
  #known: Knowledge = {};
  /** Whether the process has received other tools since; the fuzzer does not know which of them its catalog shows. */
  #isMixed = false;

  constructor(setting: Setting, world: World, wire: Wire) {
    this.#setting = setting;
    this.#world = world;
    this.#wire = wire;
    this.view = this.#viewOf(this.#newFold(), undefined);
    const { route, mode, routing } = setting;
    if (route === 'agent') this.host = new AgentHost(this.view, { mode, routing });
    else if (route === 'UI messages') this.host = new UiHost(this.view);
    else this.host = new TextHost(this.view, route);
  }

  /** Makes a change. Returns how the next request of a new process differs, if it must not. */
  async change(name: string, random: Random): Promise<string | undefined> {
    this.#difference = undefined;
    const row = CHANGES.find((change) => change.name === name);
    const changeable: Changeable = {
      world: this.#world,
      random,
      restart: () => this.#restart(),
      update: () => this.#update(),
      otherModel: () => this.#otherModel(),
      otherRole: () => this.#otherRole(),
      switchTools: () => this.#switchTools(),
    };
    await row?.make(changeable);
    return this.#difference;
  }

  async #restart(): Promise<void> {
    const view = this.#viewOf(this.#newFold(), this.view.role);
    const known = this.#world.knowledge;
    const isSame = !this.#isMixed && isDeepStrictEqual(known, this.#known);
    this.#known = known;
    this.#isMixed = false;
    if (!isSame) this.base = undefined;
    // If nothing is deferred, groups without names are declared from the second request on.
    const mayBeEager = this.#setting.strategy === 'eager' || this.#setting.strategy === 'auto';
    const isComparable = !mayBeEager || Object.keys(known).length === 0;
    if (isSame && isComparable) this.#difference = await this.#compare(view);
    this.#move(view, true);
  }

  #update(): void {
    if (!isDeepStrictEqual(this.#world.knowledge, this.#known)) this.#isMixed = true;
    // A role that had no groups cannot reach groups that are added.
    if (this.view.role !== undefined) this.base = undefined;
    this.view.fold.update(this.#world.sdkGroups());
  }

  #otherModel(): void {
    this.#which = this.#which === 0 ? 1 : 0;
    this.base = undefined;
    this.#move(this.#viewOf(this.view.fold, this.view.role), false);
  }

  #otherRole(): void {
    this.base = undefined;
    const role = this.view.role === undefined ? 'narrow' : undefined;
    this.#move(this.#viewOf(this.view.fold, role), false);
  }

  #switchTools(): void {
    if (!this.host.setTools) return;
    this.areToolsOn = !this.areToolsOn;
    this.host.setTools(this.areToolsOn);
  }

  /** How the next request from the other process differs from that of this process. */
  async #compare(view: View): Promise<string | undefined> {
    const here = await this.#probe(this.host.moved(this.view, false));
    const there = await this.#probe(this.host.moved(view, true));
    if (here === there) return undefined;
    return `here: ${difference(here, there)}\n  there: ${difference(there, here)}`;
  }

  /** The request that a copy of the conversation would send next. */
  async #probe(host: Host): Promise<string> {
    const { model } = this.#wire;
    const reader = { ticks: 0, leavesAfter: undefined, onPart: () => {} };
    const controller = new AbortController();
    host.setTools?.(this.areToolsOn);
    model.fixed = { text: 'Noted.' };
    await host.turn({ action: { text: 'A probe.' }, controller, reader, active: undefined });
    model.fixed = undefined;
    return this.#wire.takeRequests()[0]?.raw ?? 'no request';
  }

  #newFold(): Fold<ToolSet> {
    const { strategy, form } = this.#setting;
    const capabilities = form ? [{ provider: '*', model: '*', forms: [form] }] : [];
    const options = { ...this.#world.foldOptions(), strategy, capabilities };
    return createFold(options) as unknown as Fold<ToolSet>;
  }

  #viewOf(fold: Fold<ToolSet>, role: string | undefined): View {
    const { endpoint } = this.#setting;
    const model = this.#wire.provider(endpoint, this.#which);
    return { world: this.#world, fold, model, role, settings: endpoint.settings ?? {} };
  }

  #move(view: View, isNewProcess: boolean): void {
    this.view = view;
    this.host = this.host.moved(view, isNewProcess);
    this.host.setTools?.(this.areToolsOn);
  }
}

function difference(one: string, other: string): string {
  let at = 0;
  while (at < one.length && one[at] === other[at]) at++;
  return one.slice(Math.max(0, at - 60), at + 160);
}
