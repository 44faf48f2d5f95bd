import { NESTED_TOO_DEEP } from '@toolfold/core/internal/calls';
import { nearNames } from '@toolfold/core/internal/near-names.ts';
import { type CatalogLines, hintOf, statusText } from '@toolfold/core/internal/request';
import { createToolLayer, type Session, type ToolLayer } from '@toolfold/core/internal/session';
import { groupSlug } from '@toolfold/core/internal/tool';
import {
  isTooDeep,
  type JsonObject,
  listIn,
  ownProperties,
  ownProperty,
  plainLine,
  withBigints,
} from '@toolfold/core/internal/values';
import { searchWithVectors } from '@toolfold/core/internal/vectors.ts';
import type { ToolfoldConfig } from '../config/index.ts';
import { INVALID_PARAMS, RpcError } from '../gateway-clients/index.ts';
import { groupOf } from '../known-tools.ts';
import type { ServerPool } from '../pool/index.ts';
import { notUsable, type ServerConnection } from '../server/index.ts';
import { type ClientTool, type ClientTools, readKnown, slugOf } from './shown-tools.ts';

/** How tools are presented. */
export type Mode = 'bridge' | 'dispatch' | 'eager' | 'passthrough';

/** Settings of a view. */
export interface ViewOptions {
  readonly mode: Mode;
  /** Tokens of the catalog. */
  readonly budget?: number | undefined;
  /** Whether bridges check arguments, unless the settings say that they do not. */
  readonly check: boolean;
}

/** What becomes of a call: it goes to a server, or is answered here. */
type CallDestination =
  | { readonly kind: 'run'; readonly target: ClientTool; readonly arguments?: JsonObject }
  | { readonly kind: 'answer'; readonly result: JsonObject };

/** Asks clients that defer tools not to defer the bridges. */
const ALWAYS_LOAD: JsonObject = { 'anthropic/alwaysLoad': true };

/** Maximum near names in an answer. */
const MOST_NEAR = 5;

/** Maximum tools that one request describes. */
const MOST_DESCRIBED = 10;

/** The tools of one pool as clients see them, always as its servers list them now. */
export class GatewayView {
  readonly #pool: ServerPool;
  readonly #options: ViewOptions;
  readonly #onChange: () => void;
  #settings: ToolfoldConfig['settings'];
  #known: ClientTools;
  #layer: ToolLayer | undefined;
  #session: Session | undefined;
  #definitions: Promise<readonly JsonObject[]> | undefined;
  #lastText = '';

  /** `onChange`: called when the list of tools differs from the one that clients got. */
  constructor(
    pool: ServerPool,
    settings: ToolfoldConfig['settings'],
    options: ViewOptions,
    onChange: () => void,
  ) {
    this.#pool = pool;
    this.#settings = settings;
    this.#options = options;
    this.#onChange = onChange;
    this.#known = readKnown(pool, settings);
    pool.onChange(() => void this.#refresh());
  }

  get #strategy(): CatalogStrategy {
    return this.#options.mode === 'dispatch' ? 'dispatch' : 'bridge';
  }

  get isBridge(): boolean {
    return this.#options.mode === 'bridge' || this.#options.mode === 'dispatch';
  }

  /** What `tools/list` answers. */
  async definitions(): Promise<readonly JsonObject[]> {
    this.#definitions ??= this.#define();
    const definitions = await this.#definitions;
    this.#lastText = JSON.stringify(definitions);
    return definitions;
  }

  /**
   * Decides on a call. Rejects with `RpcError` if there is no such tool. `listed`: waits a moment for servers that were never
   * listed, so that a search in the first second does not miss their tools.
   */
  async decide(
    params: JsonObject,
    signal: AbortSignal,
    listed: () => Promise<void>,
  ): Promise<CallDestination> {
    const name = String(params.name);
    // Before the bare names of servers' tools: they may be called like a bridge, but whole names are not.
    const mayBeBridge = this.isBridge && !name.includes('__');
    const kind = mayBeBridge ? this.#sessionNow().turn([]).bridgeKind(name) : undefined;
    if (kind === undefined) {
      const target = await this.#findStarted(name, signal);
      if (target && isTooDeep(params.arguments)) {
        const content = [{ type: 'text', text: NESTED_TOO_DEEP }];
        return { kind: 'answer', result: { content, isError: true } };
      }
      if (target) return { kind: 'run', target };
      throw this.#unknown(name);
    }
    const given = ownProperties(params.arguments);
    const isCall = kind === 'tool_call' || kind === 'deferred_tool_call';
    const key = 'name' in given ? 'name' : 'tool_name';
    if (!isCall) await listed();
    if (kind === 'tool_describe') await this.#startDescribed(given, signal);
    const meant = isCall ? await this.#findStarted(String(given[key]), signal) : undefined;
    const input = meant ? { ...given, [key]: meant.name } : (params.arguments ?? {});
    const call = { id: 'call', name, input };
    const check = this.#options.check && this.#settings?.serve?.check !== false;
    const route = await this.#sessionNow().turn([]).route(call, { signal, check });
    if (route.kind === 'run') {
      const found = this.#known.targets.get(route.tool.name);
      const input = withBigints(route.input) as JsonObject;
      if (found) return { kind: 'run', target: found, arguments: input };
      throw this.#unknown(route.tool.name);
    }
    const isSearched = kind === 'tool_search' && !route.isError;
    const { connections } = this.#pool;
    const text = JSON.stringify(
      isSearched ? withStarting(route.result, connections) : route.result,
    );
    const result = { content: [{ type: 'text', text }], ...(route.isError && { isError: true }) };
    return { kind: 'answer', result };
  }

  /** The tool that a name means. */
  find(name: string): ClientTool | undefined {
    const { targets, aliases } = this.#known;
    return targets.get(name) ?? aliases.get(name);
  }

  /** Takes new settings. */
  update(settings: ToolfoldConfig['settings']): Promise<void> {
    this.#settings = settings;
    this.#layer = undefined;
    return this.#refresh();
  }

  /** The tool of a name. Waits for its server if that was never listed and is starting. */
  async #findStarted(name: string, signal: AbortSignal): Promise<ClientTool | undefined> {
    const known = this.find(name);
    if (known) return known;
    const { connections } = this.#pool;
    const starting = connections.find(({ name: server, listing }) => {
      return listing === undefined && name.startsWith(`${slugOf(server)}__`);
    });
    if (starting === undefined) return;
    const state = await starting.start(signal);
    if (state.kind === 'failed' || state.kind === 'needs-auth')
      throw notUsable(starting.name, state);
    await this.#refresh();
    return this.find(name);
  }

  /** Waits like `#findStarted` for all tools that a request describes. What cannot start is said in the answer. */
  async #startDescribed(
    { names, name }: Readonly<Record<string, unknown>>,
    signal: AbortSignal,
  ): Promise<void> {
    const first = [names, name]
      .flat()
      .filter((one) => typeof one === 'string')
      .slice(0, MOST_DESCRIBED);
    await Promise.allSettled(first.map((one) => this.#findStarted(one, signal)));
    signal.throwIfAborted();
  }

  async #refresh(): Promise<void> {
    this.#known = readKnown(this.#pool, this.#settings);
    this.#layer?.update(this.#known.groups);
    this.#session = undefined;
    this.#definitions = undefined;
    const before = this.#lastText;
    if (before === '') return;
    this.#definitions = this.#define();
    if (JSON.stringify(await this.#definitions) !== before) this.#onChange();
  }

  #sessionNow(): Session {
    const { budget } = this.#options;
    const strategy = this.#strategy;
    this.#layer ??= createToolLayer({
      groups: this.#known.groups,
      strategy,
      catalog: {
        ...this.#settings?.catalog,
        ...(budget !== undefined && { budget }),
        lines: serverLines(strategy),
      },
      search: searchWithVectors,
      onWarning: false,
    });
    this.#session ??= this.#layer.session();
    return this.#session;
  }

  async #define(): Promise<readonly JsonObject[]> {
    const { targets } = this.#known;
    const named = ({ name, listed }: ClientTool): JsonObject => ({ ...listed, name });
    if (!this.isBridge) return [...targets.values()].map(named);
    const session = this.#sessionNow();
    await session.prepare();
    const { system, tools } = session.present();
    let isShown = system === '';
    return tools.map(({ name, description = '', parameters }) => {
      const target = targets.get(name);
      if (target) return named(target);
      // The catalog stands once, in the tool that finds or loads the others.
      const text = isShown ? description : `${description} ${READING[this.#strategy]}\n\n${system}`;
      isShown = true;
      return { name, description: text, inputSchema: parameters as JsonObject, _meta: ALWAYS_LOAD };
    });
  }

  #unknown(name: string): RpcError {
    const near = nearNames(name, [...this.#known.targets.keys()], MOST_NEAR);
    const bare = [...this.#known.targets.values()].filter((target) => target.bare === name);
    const names = bare.length > 0 ? bare.map((target) => target.name).slice(0, MOST_NEAR) : near;
    const hint = names.length > 0 ? ` Did you mean ${names.join(' or ')}?` : '';
    return new RpcError(INVALID_PARAMS, `Unknown tool: ${name.slice(0, 80)}.${hint}`);
  }
}

/** The tool that a call names, by itself or through a bridge. */
export function calledTool({ name, arguments: given }: JsonObject, mode: Mode): string {
  const direct = typeof name === 'string' ? name : '';
  const hasBridges = mode === 'bridge' || mode === 'dispatch';
  if (!hasBridges || !/^(deferred_)?tool_call$/.test(direct)) return direct;
  const { name: meant, tool_name: other = meant } = ownProperties(given);
  return typeof other === 'string' ? other : direct;
}

/** The state of each server, for a health check. `names`: of the servers, which start with the first client. */
export function statesOf(pools: readonly ServerPool[], names: Iterable<string>): JsonObject[] {
  if (pools.length === 0) return Array.from(names, (name) => ({ name, state: 'idle', tools: 0 }));
  return pools.flatMap(({ servers }) =>
    servers.map(({ name, state, tools, reason }) => ({
      ...{ name, state, tools },
      ...(reason !== undefined && { reason }),
    })),
  );
}

/** The value of a list's parameter, if it is a text. */
export function textOf(params: JsonObject, key: string): string {
  const value = ownProperty(params, key);
  return typeof value === 'string' ? value : '';
}

/** The address that a request names. Throws `RpcError` if it is no text: no server gets another one. */
export function uriOf({ uri }: JsonObject): string {
  if (typeof uri !== 'string') throw new RpcError(INVALID_PARAMS, "'uri' must be a string.");
  return uri;
}

/** Maximum groups that an answer names. */
const MOST_NAMED = 10;

const AGAIN =
  'Servers in `not_searched` are still starting. Search again before you say that something is missing.';

/** What a search answers, with the groups that it could not search because their servers are still starting. */
function withStarting(
  result: JsonObject,
  connections: readonly Pick<ServerConnection, 'name' | 'listing' | 'state'>[],
): JsonObject {
  const starting = connections.filter(
    ({ listing, state: { kind } }) =>
      listing === undefined && (kind === 'idle' || kind === 'connecting'),
  );
  if (starting.length === 0) return result;
  const groups = starting.map(({ name }) => groupOf(name));
  const all = new Set([...listIn(result, 'not_searched'), ...groups]);
  const { next: _, ...others } = result;
  const hint = ownProperty(result, 'next');
  const next = typeof hint === 'string' ? `${hint} ${AGAIN}` : AGAIN;
  return { ...others, not_searched: [...all].slice(0, MOST_NAMED) as string[], next };
}

/** The strategies with a catalog. */
export type CatalogStrategy = 'bridge' | 'dispatch';

/** What the lines mean, for models. */
const READING: Readonly<Record<CatalogStrategy, string>> = {
  bridge: 'In the list below, a line "x__ (2): a b" is a server with the tools x__a and x__b.',
  dispatch: 'In the list below, a line "mcp:x (2): a b" is a group with the tools x__a and x__b.',
};

/**
 * A server in the catalog: one line with what the names of its tools begin with, and then the rest of each
 * name. Names for clients have no spaces, and a comma behind each would cost a token.
 */
export function serverLines(strategy: CatalogStrategy): CatalogLines {
  return (group, detail) => {
    const { groupId, tools, listed, unavailable } = group;
    const start = strategy === 'bridge' ? `${groupSlug(groupId)}__` : plainLine(groupId, 80);
    const about = detail.about > 0 ? plainLine(group.description ?? '', detail.about) : '';
    const count = listed && !unavailable ? tools.length : statusText(group);
    const head = `${start} (${count})${about && ` "${about}"`}`;
    if (detail.names === 0 || tools.length === 0) return head;
    if (detail.hints) return [`${head}:`, ...tools.map((tool) => `  ${hintOf(tool)}`)].join('\n');
    const names = tools.slice(0, detail.names).map(({ name }) => name);
    const left = tools.length - names.length;
    return `${head}: ${names.join(' ')}${left > 0 ? ` … (+${left} more)` : ''}`;
  };
}
