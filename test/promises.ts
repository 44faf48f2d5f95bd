import {
  core,
  mcp,
  mutate,
  mutateHost,
  mutateMcp,
  mutateSdk,
  type ProductPromise,
  sdk,
  team,
} from './promise.ts';
import { ofNative } from './promises-of-native.ts';
import { ofPolicy } from './promises-of-policy.ts';
import { ofSubagents } from './promises-of-subagents.ts';

/** All promises. Add to the list; never delete quietly. */
export const promises: readonly ProductPromise[] = [
  {
    number: 1,
    text: 'Over an epoch, tools and system text stay the same bytes on the wire and messages only grow.',
    status: 'held',
    tests: sdk(
      'prefix',
      'prefix-bridge',
      'prefix-native',
      'resume',
      'mcp-output',
      'denials',
      'odd-names',
    ),
    mutations: [mutateSdk('wire-results', '.sort((a, b) => a.order - b.order)', '', 'prefix')],
  },
  {
    number: 2,
    text: 'What is rendered depends on no order of registration or loading, no locale and no clock.',
    status: 'held',
    tests: core('catalog', 'epochs', 'json', 'registry'),
    mutations: [
      mutate(
        'registry',
        'of [...groups].sort((a, b) => byCodePoint(a.groupId, b.groupId))',
        'of groups',
        'epochs',
        'registry',
      ),
    ],
  },
  {
    number: 3,
    text: 'A changed tool list edits nothing that was sent and is announced once, at the tail.',
    status: 'held',
    tests: [...core('epochs', 'strategies/cases'), ...sdk('changes')],
    mutations: [
      mutate('presentation', 'position: messages.length, text', 'position: 0, text', 'epochs'),
      mutate('presentation', '(isForgotten ? LIST_RESTORED : undefined)', 'undefined', 'epochs'),
      mutateSdk(
        'request',
        ': withWords(note, forced, tail, { errors, outputs })',
        ': undefined',
        'changes',
      ),
    ],
  },
  {
    number: 4,
    text: 'The off switch sends what the same tools would send without Toolfold.',
    status: 'held',
    tests: sdk('off-switch'),
    mutations: [mutateSdk('request', 'if (isEager) return wire;', '', 'off-switch')],
  },
  {
    number: 5,
    text: 'One version of a schema is always served as the same bytes; a changed one says so.',
    status: 'held',
    tests: core('loading', 'foreign-results'),
    mutations: [
      mutate('fold', ' || isDispatcher(kind)', '', 'foreign-results'),
      mutate('fold', 'if (!speaksOf(schema.name)) continue;', '', 'foreign-results'),
      mutate(
        'operations/served-schema',
        'first !== undefined && !isSame(first, shown)',
        'first !== undefined',
        'loading',
      ),
    ],
  },
  {
    number: 6,
    text: "A user's cache marker on a tool that leaves the wire moves to the last one that stays.",
    status: 'held',
    tests: sdk('off-switch'),
    mutations: [
      mutateSdk(
        'wire-tools',
        'return [...wire.slice(0, -1), moved];',
        'return [...wire];',
        'off-switch',
      ),
    ],
  },
  {
    number: 7,
    text: 'Two groups with the same tool name: both reachable, a bare name of both is an error.',
    status: 'held',
    tests: core('calls', 'registry'),
    mutations: [
      mutate('registry', 'return visible.length === 1', 'return visible.length > 0', 'calls'),
    ],
  },
  {
    number: 8,
    text: 'No tool captures a bridge, and no two tools ever share a wire name.',
    status: 'held',
    tests: core('calls', 'names', 'registry'),
    mutations: [
      mutate(
        'registry',
        'if (this.#reserved.has(name) || this.#byName.has(name)) {',
        'if (this.#reserved.has(name)) {',
        'registry',
      ),
    ],
  },
  {
    number: 9,
    text: 'Hooks, approvals and traces see the real call; the provider sees what the model wrote.',
    status: 'held',
    tests: sdk('real-names', 'results', 'odd-uses', 'group-tools', 'custom-tools'),
    mutations: [
      mutateSdk('incoming', 'return { ...call, toolName,', 'return { ...call,', 'real-names'),
    ],
  },
  {
    number: 10,
    text: 'Streams are peeled as they arrive, whatever the chunks.',
    status: 'held',
    tests: sdk('stream'),
    mutations: [
      {
        ...mutateHost('peel', String.raw`else if (char === '\\') this.#escaped = true;`, ''),
        tests: sdk('stream'),
      },
    ],
  },
  {
    number: 11,
    text: 'Arguments are repaired only where that is unambiguous; garbage never runs as no arguments.',
    status: 'held',
    tests: core('calls', 'envelope'),
    mutations: [
      mutate(
        'envelope',
        "if (given.kind === 'unusable') return { ok: false, problem: given.problem };",
        '',
        'calls',
        'envelope',
      ),
    ],
  },
  {
    number: 12,
    text: 'A direct call of a known, callable, undeclared tool runs.',
    status: 'held',
    tests: core('strategies/cases'),
    mutations: [
      mutate(
        'read-call',
        'envelope: directEnvelope(name, input)',
        "envelope: readEnvelope(input, 'name')",
        'strategies/cases',
      ),
    ],
  },
  {
    number: 13,
    text: 'A call of a tool that was never loaded loads it and checks its arguments.',
    status: 'held',
    tests: core('calls'),
    mutations: [
      mutate(
        'operations/target',
        'if (entry.groupId !== undefined && !scope.toolbox.toolOf(entry)) {',
        'if (entry.groupId === "") {',
        'calls',
      ),
    ],
  },
  {
    number: 14,
    text: 'Invalid arguments are answered with what is wrong where, and the schema.',
    status: 'held',
    tests: [...core('calls', 'strategies/cases'), ...sdk('odd-uses')],
    mutations: [
      mutate('operations/refusals', 'schema: schema as JsonObject,', '', 'calls'),
      {
        ...mutate('operations/call', 'if (!check.ok) return', 'if (check === undefined) return'),
        tests: sdk('odd-uses'),
      },
    ],
  },
  {
    number: 15,
    text: 'An inline tool called through the dispatcher runs; a bridge in a bridge is refused.',
    status: 'held',
    tests: core('calls'),
    mutations: [
      mutate(
        'operations/call',
        'if (scope.bridges.kind(name) !== undefined && !scope.toolbox.registry.get(name)) {',
        'if (scope.toolbox.registry.own.has(name)) {',
        'calls',
      ),
    ],
  },
  {
    number: 16,
    text: 'An unknown name gets at most five near ones, never a whole list.',
    status: 'held',
    tests: core('calls', 'strategies/cases', 'large-input'),
    mutations: [
      mutate('toolbox', '))].slice(0, 5);', '))];', 'calls'),
      mutate('near-index', 'if (left === 0) return;', '', 'large-input'),
    ],
  },
  {
    number: 17,
    text: 'A name is mended only to the one tool it can mean, known to be read-only on trusted word.',
    status: 'held',
    tests: core('calls'),
    mutations: [
      mutate(
        'operations/target',
        'return target.ok && scope.toolbox.isKnownReadOnly(only) ? target : undefined;',
        'return target;',
        'calls',
      ),
    ],
  },
  {
    number: 18,
    text: 'The same failing call gets another answer; every call is one event.',
    status: 'held',
    tests: [...core('calls'), ...sdk('real-names')],
    mutations: [
      mutate('turn', 'answer.isError && attempt > 1', 'answer.isError && attempt > 99', 'calls'),
      mutateSdk('middleware', 'of request.refused)', 'of [])', 'real-names'),
    ],
  },
  {
    number: 19,
    text: 'A forced choice of a deferred tool works; no loader runs ahead of an earlier call.',
    status: 'held',
    tests: sdk('tool-choice'),
    mutations: [
      mutateSdk('call-arrivals', 'isFirst ? undefined :', 'true ? undefined :', 'tool-choice'),
    ],
  },
  {
    number: 20,
    text: 'One filter decides everything a run is shown or may do; hidden and unknown are alike.',
    status: 'held',
    tests: [...core('views', 'hidden-names'), ...sdk('roles')],
    mutations: [
      mutate('toolbox', '(text) => shown(text) !== undefined', '() => true', 'views'),
      mutate('operations/target', '!toolbox.mayHide(view, record)', 'true', 'hidden-names'),
    ],
  },
  {
    number: 21,
    text: "A role's list: missing means all, a list those, an empty one none.",
    status: 'held',
    tests: [...core('views'), ...sdk('roles')],
    mutations: [
      mutate(
        'view',
        '(tools === undefined || (tools !== false && tools',
        '(!tools || tools.length === 0 || (tools',
        'views',
      ),
    ],
  },
  {
    number: 22,
    text: 'Denial is on the target, whatever the route; neither the dispatcher nor a name that a server gives its tool grants anything.',
    status: 'held',
    tests: [...core('glob', 'views'), ...sdk('roles', 'unlisted')],
    mutations: [
      mutate(
        'toolbox',
        "return (entry) => view.allows(entry) && this.placement(entry).exposure !== 'hidden';",
        "return (entry) => this.placement(entry).exposure !== 'hidden';",
        'views',
      ),
      mutate('glob', "pattern.lastIndexOf('/')", "pattern.indexOf('/')", 'glob', 'views'),
      mutate(
        'glob',
        'matches(pattern.slice(0, slash), tool.groupId) && matches(pattern.slice(slash + 1), tool.bare)',
        'mayMatchTool(pattern, tool)',
        'glob',
        'views',
      ),
      mutate(
        'view',
        '!sorted.some((glob) => mayMatchTool',
        '!sorted.some((glob) => matchesTool',
        'views',
      ),
      mutate(
        'exposure',
        "exposure === 'hidden' ? mayMatchTool : matchesTool",
        'matchesTool',
        'views',
      ),
      mutateSdk('fields', 'session.find(name) !== undefined', 'true', 'roles'),
      mutateSdk('call-arrivals', 'return callAgain(name);', 'return found;', 'unlisted'),
    ],
  },
  {
    number: 23,
    text: "A subagent gets its own role under its parent's, with working bridges.",
    status: 'held',
    tests: [...core('views'), ...team('authority')],
    mutations: [
      mutate('session', 'if (!wants || hasAny(toolbox, view)) return;', 'return;', 'views'),
      mutate(
        'session',
        'options.role === undefined ? this.#view : intersect(this.#view, role)',
        'role',
        'views',
      ),
    ],
  },
  {
    number: 24,
    text: 'Annotations count only for sources the user marked trusted.',
    status: 'held',
    tests: ['src/agent/agent.test.ts'],
    mutations: [
      {
        ...mutate('toolbox', 'this.#groupOf(entry)?.trusted === true', 'true'),
        tests: ['src/agent/agent.test.ts'],
      },
    ],
  },
  {
    number: 25,
    text: 'Parallel calls share a load; failures are told, not kept, and leave other groups alone.',
    status: 'held',
    tests: core('loading', 'loads'),
    mutations: [
      mutate(
        'loads',
        'this.#flights.get(group.groupId) ?? this.#start(group)',
        'this.#start(group)',
        'loading',
        'loads',
      ),
    ],
  },
  {
    number: 26,
    text: 'Catalog and loader may disagree: extra tools are callable, missing ones are named.',
    status: 'held',
    tests: core('loading', 'hidden-names'),
    mutations: [
      mutate(
        'operations/load',
        'else unknown.push(cut(name, 80));',
        "else return notExpanded(scope, record, 'Unknown tool.', {});",
        'loading',
      ),
    ],
  },
  {
    number: 27,
    text: 'Loading twice gives the same bytes; what was loaded is callable in the same step.',
    status: 'held',
    tests: core('loading', 'strategies/cases'),
    mutations: [
      mutate(
        'expanded',
        'if (askedAt !== step) before = ranks.size;',
        'before = ranks.size;',
        'loading',
      ),
    ],
  },
  {
    number: 28,
    text: 'State is a function of the transcript; messages alone give the same bytes elsewhere.',
    status: 'held',
    tests: [
      ...core('epochs', 'fold', 'strategies/cases'),
      ...sdk('changes', 'resume', 'result-format'),
    ],
    mutations: [
      mutateSdk('wire-results', "stamp.f === 'mcp'", 'false', 'result-format'),
      mutate('fold', 'epoch = begun;', '', 'epochs'),
      mutateSdk('note-part', '...(isEpoch(epoch) ? { epoch } : {}),', '', 'changes'),
    ],
  },
  {
    number: 29,
    text: 'The explicit state is plain JSON and resumes as it was; a mismatch is an error.',
    status: 'held',
    tests: core('epochs'),
    mutations: [mutate('expanded', 'if (whole) groups.set(groupId, null);', '', 'epochs')],
  },
  {
    number: 30,
    text: 'Dropping old results never makes a tool uncallable.',
    status: 'held',
    tests: core('epochs'),
    mutations: [
      mutate('presentation', 'return isThere ? told : NOTHING_TOLD;', 'return told;', 'epochs'),
    ],
  },
  {
    number: 31,
    text: "A fork sends the parent's bytes and changes nothing of the parent's.",
    status: 'held',
    tests: core('epochs'),
    mutations: [mutate('session', 'fork.#told = this.#told;', '', 'epochs')],
  },
  {
    number: 32,
    text: 'Nothing shown to a model is unbounded.',
    status: 'held',
    tests: core('limits', 'schema', 'large-input'),
    mutations: [
      mutate('operations/load', 'asking?.slice(0, MAX_ASKED)', 'asking', 'large-input'),
      mutate('operations/served-schema', 'size <= 2 * limits.load', 'size > 0', 'limits'),
      mutate(
        'operations/load',
        'if (tokens > scope.limits.load && served.length > 0) break;',
        '',
        'limits',
      ),
    ],
  },
  {
    number: 33,
    text: 'The catalog fits its budget and shows every group while one line each fits.',
    status: 'held',
    tests: core('catalog'),
    mutations: [
      mutate('catalog', "names: 0 }, budget, '') ??", 'names: 0 }) ??', 'catalog'),
      mutate(
        'catalog',
        'return catalog.tokens <= limit ? catalog : undefined;',
        'return catalog;',
        'catalog',
      ),
    ],
  },
  {
    number: 34,
    text: 'The automatic choice never costs more than eager on its estimate, and says why.',
    status: 'held',
    tests: core('auto'),
    mutations: [mutate('auto', 'return price < eager', 'return price < eager * 2', 'auto')],
  },
  {
    number: 35,
    text: 'The token ledger, recounted over recorded bodies, agrees to the token.',
    status: 'held',
    tests: sdk('request-tokens'),
    mutations: [
      mutateSdk('request-tokens', 'if (/^(openai|azure)', 'if (/^(nobody)', 'request-tokens'),
    ],
  },
  {
    number: 36,
    text: 'Hostile names and descriptions cannot leave their line or forge structure.',
    status: 'held',
    tests: [...core('catalog', 'hostile', 'plain-text', 'unseen-text'), ...sdk('results')],
    mutations: [
      mutate('plain-text', 'cut(withoutUnseen(', 'cut((', 'unseen-text'),
      mutate(
        'plain-text',
        String.raw`.replace(/[\p{C}\p{Z}]+/gu, ' ')`,
        String.raw`.replace(/[\n\r]+/gu, ' ')`,
        'hostile',
        'plain-text',
      ),
      mutateSdk('wire-results', 'answer === undefined ?', 'answer !== undefined ?', 'results'),
    ],
  },
  {
    number: 37,
    text: 'Names from Object.prototype are names like any other.',
    status: 'held',
    tests: [...core('check', 'envelope', 'hostile'), ...sdk('odd-uses')],
    mutations: [
      mutate(
        'expanded',
        'Object.hasOwn(earlier, groupId) ? earlier[groupId] : undefined',
        'earlier[groupId]',
        'hostile',
      ),
    ],
  },
  {
    number: 38,
    text: 'Schemas of any dialect are checked; malformed ones fail open; nothing is fetched.',
    status: 'held',
    tests: core('check', 'hostile', 'schema', 'hostile-schemas', 'pattern-steps'),
    mutations: [
      mutate('pattern-steps', '(piece.set & common) !== 0n', 'false', 'pattern-steps'),
      mutate(
        'checkable-schema',
        'if (form && !form(value)) {',
        'if (form && form === undefined) {',
        'check',
      ),
      mutate('check', 'isDeep && isNested(value, DEEP)', 'isDeep', 'check'),
      mutate(
        'check',
        'return { ok: true, value, warning: error === BUDGET_SPENT ? TOO_LONG : unusable(error) };',
        'return { ok: false, problems: [unusable(error)] };',
        'check',
        'hostile',
      ),
    ],
  },
  {
    number: 39,
    text: 'No tools, one, 50,000, or only failing loaders: no crash and no dead end.',
    status: 'held',
    tests: [...core('limits', 'strategies/cases'), ...sdk('odd-uses')],
    mutations: [
      mutate(
        'auto',
        'groups.every(({ group }) => group.unavailable)',
        'groups.length > 9_999',
        'limits',
      ),
    ],
  },
  {
    number: 40,
    text: 'Every asynchronous path honours its signal and leaves nothing running.',
    status: 'held',
    tests: [...core('abort', 'loads'), ...sdk('abort'), ...mcp('process-groups')],
    mutations: [
      mutateMcp('process-groups', "'SIGHUP', 'SIGQUIT', ", '', 'process-groups'),
      mutate(
        'loads',
        "if (flight.state !== 'settled') flight.controller.abort();",
        '',
        'abort',
        'loads',
      ),
      mutateSdk('stream', 'cancel: () => incoming?.cutOff(),', 'cancel: () => {},', 'abort'),
    ],
  },
  ...ofNative,
  {
    number: 43,
    text: 'The estimate of what a task costs is within 5 % of what is sent.',
    status: 'held',
    tests: sdk('estimate'),
    mutations: [
      {
        ...mutate('estimate-task', 'messages: frames + now.appended', 'messages: now.appended'),
        tests: sdk('estimate'),
      },
    ],
  },
  ...ofSubagents,
  ...ofPolicy,
];
