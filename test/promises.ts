import { mutate, type ProductPromise, tests } from './promise.ts';
import { ofApprovals } from './promises-of-approvals.ts';
import { ofCalls } from './promises-of-calls.ts';
import { ofCommands } from './promises-of-commands.ts';
import { ofConnections } from './promises-of-connections.ts';
import { ofFiles, ofTrust } from './promises-of-files.ts';
import { ofNative } from './promises-of-native.ts';
import { ofOwnTools } from './promises-of-own-tools.ts';
import { ofPolicy } from './promises-of-policy.ts';
import { ofRefusedTools } from './promises-of-refused-tools.ts';
import { ofDamagedFiles, ofSessions } from './promises-of-sessions.ts';
import { ofShownCalls } from './promises-of-shown-calls.ts';
import { ofSteering } from './promises-of-steering.ts';
import { ofSubagents } from './promises-of-subagents.ts';
import { ofGateway } from './promises-of-the-gateway.ts';
import { ofLog } from './promises-of-the-log.ts';

/** All promises. A promise that no longer holds is changed here openly, never deleted in passing. */
export const promises: readonly ProductPromise[] = [
  ...ofCalls,
  {
    number: 20,
    text: 'One filter decides everything that a run can see or do; hidden tools look like unknown ones.',
    status: 'held',
    tests: [...tests('views', 'hidden-names'), ...tests('approvals/roles')],
    mutations: [
      mutate('(text) => shown(text) !== undefined', '() => true', 'views'),
      mutate('!toolbox.mayHide(view, record)', 'true', 'hidden-names'),
    ],
  },
  {
    number: 21,
    text: "A role's list: if it is missing, all tools are allowed; otherwise those in the list; with an empty list, none.",
    status: 'held',
    tests: [...tests('views', 'session/options-check'), ...tests('approvals/roles')],
    mutations: [
      mutate(
        '(tools === undefined || (tools !== false && tools',
        '(!tools || tools.length === 0 || (tools',
        'views',
      ),
      mutate('role[key] === undefined || ROLE_KEYS.includes(key)', 'true', 'session/options-check'),
    ],
  },
  {
    number: 22,
    text: 'A denial applies to the target tool on every route; neither the dispatcher nor a name that a server gives its tool grants anything.',
    status: 'held',
    tests: [...tests('glob', 'views'), ...tests('approvals/roles', 'unlisted')],
    mutations: [
      mutate(
        "(view, entry) => view.allows(entry) && this.placement(entry).exposure !== 'hidden',",
        "(_view, entry) => this.placement(entry).exposure !== 'hidden',",
        'views',
      ),
      mutate("pattern.lastIndexOf('/')", "pattern.indexOf('/')", 'glob', 'views'),
      mutate(
        'matchesGlob(pattern.slice(0, slash), tool.groupId) &&\n    matchesGlob(pattern.slice(slash + 1), tool.bare)',
        'mayMatchTool(pattern, tool)',
        'glob',
        'views',
      ),
      mutate('!sorted.some((glob) => mayMatchTool', '!sorted.some((glob) => matchesTool', 'views'),
      mutate("exposure === 'hidden' ? mayMatchTool : matchesTool", 'matchesTool', 'views'),
      mutate('session.find(name) !== undefined', 'true', 'approvals/roles'),
      {
        ...mutate('found: isKnown(name) ? notActive(name) : callAgain(name)', 'found'),
        tests: tests('unlisted'),
      },
    ],
  },
  {
    number: 23,
    text: "A subagent has its own role within its parent's role, with working bridge tools.",
    status: 'held',
    tests: [...tests('views'), ...tests('authority')],
    mutations: [
      mutate('if (!wants || hasAny(toolbox, view)) return;', 'return;', 'views'),
      mutate(
        'options.role === undefined ? this.#view : intersectViews(this.#view, role)',
        'role',
        'views',
      ),
    ],
  },
  {
    number: 24,
    text: 'Annotations count only for sources that the user marked as trusted.',
    status: 'held',
    tests: [...tests('agent')],
    mutations: [
      {
        ...mutate('this.#groupOf(entry)?.trusted === true', 'true'),
        tests: [...tests('agent')],
      },
    ],
  },
  {
    number: 25,
    text: 'Parallel calls share a load; a failure is reported, not cached, and does not affect other groups.',
    status: 'held',
    tests: tests('test/loading', 'loads'),
    mutations: [
      mutate(
        'this.#flights.get(group.groupId) ?? this.#start(group)',
        'this.#start(group)',
        'test/loading',
        'loads',
      ),
    ],
  },
  {
    number: 26,
    text: 'Catalog and loader may list different tools: extra tools are callable, missing ones are named.',
    status: 'held',
    tests: tests('test/loading', 'hidden-names'),
    mutations: [
      mutate(
        'else unknown.push(truncate(name, 80));',
        "else return groupFailed(scope, record, 'Unknown tool.', {});",
        'test/loading',
      ),
    ],
  },
  {
    number: 27,
    text: 'Loading twice gives the same bytes; a loaded tool is callable in the same step.',
    status: 'held',
    tests: tests('test/loading', 'cases'),
    mutations: [
      mutate('if (askedAt !== step) before = ranks.size;', 'before = ranks.size;', 'test/loading'),
    ],
  },
  {
    number: 28,
    text: 'State is a function of the transcript; messages alone give the same bytes in another process.',
    status: 'held',
    tests: [
      ...tests('epochs', 'transcript/conversation', 'record', 'cases'),
      ...tests('prefix/changes', 'prefix/resume', 'result-format'),
    ],
    mutations: [
      mutate("stamp.f !== 'mcp'", 'true', 'result-format'),
      mutate(
        'state.inserts.length = 0;\n  state.epoch = epoch;',
        'state.inserts.length = 0;',
        'epochs',
      ),
      mutate(', this.#recorded.state)', ')', 'record'),
      mutate('Object.assign(readNote(note), ', 'Object.assign({}, ', 'prefix/changes'),
    ],
  },
  {
    number: 29,
    text: 'The explicit state is plain JSON and resumes unchanged; a mismatch of two strategies that defer is an error.',
    status: 'held',
    tests: tests('epochs'),
    mutations: [mutate('if (whole) groups.set(groupId, null);', '', 'epochs')],
  },
  {
    number: 30,
    text: 'Removing old results never makes a tool uncallable.',
    status: 'held',
    tests: tests('epochs'),
    mutations: [
      mutate(
        'return isThere ? announcements : NO_ANNOUNCEMENTS;',
        'return announcements;',
        'epochs',
      ),
    ],
  },
  {
    number: 31,
    text: "A fork sends the parent's bytes and changes nothing in the parent.",
    status: 'held',
    tests: tests('epochs'),
    mutations: [mutate('fork.#announcements = this.#announcements;', '', 'epochs')],
  },
  {
    number: 32,
    text: 'Every text shown to a model is bounded.',
    status: 'held',
    tests: tests('tool/limits', 'schema', 'large-input'),
    mutations: [
      mutate('asking?.slice(0, MAX_ASKED)', 'asking', 'large-input'),
      mutate('size <= 2 * limits.load', 'size > 0', 'tool/limits'),
      mutate('if (tokens > limit && taken.length > 0) break;', '', 'tool/limits'),
    ],
  },
  {
    number: 33,
    text: 'The catalog fits its budget and shows every group as long as one line for each fits.',
    status: 'held',
    tests: tests('catalog'),
    mutations: [
      mutate("names: 0 }, budget, '') ??", 'names: 0 }) ??', 'catalog'),
      mutate('return catalog.tokens <= limit ? catalog : undefined;', 'return catalog;', 'catalog'),
    ],
  },
  {
    number: 34,
    text: 'By its own estimate, the automatic choice never costs more than eager; it states the reason of the choice.',
    status: 'held',
    tests: [...tests('auto'), ...tests('unpriced-model'), ...tests('bench-local')],
    mutations: [
      mutate('return price < eager', 'return price < eager * 2', 'auto'),
      mutate("options.prices !== 'unknown' && schemas", 'schemas', 'auto'),
      mutate('{ write: 1, read: 0 }', '{ write: 1, read: 1 }', 'auto'),
      mutate(
        "pricesOf(model, prices) ?? 'unknown'",
        'pricesOf(model, prices) ?? { write: 1.25, read: 0.1 }',
        'unpriced-model',
      ),
      mutate('guessed.tools += some;', '', 'auto'),
    ],
  },
  {
    number: 35,
    text: 'The token ledger equals a recount of the recorded bodies, exactly to the token.',
    status: 'held',
    tests: tests('request-tokens'),
    mutations: [mutate('if (/^(openai|azure)', 'if (/^(nobody)', 'request-tokens')],
  },
  {
    number: 36,
    text: 'Hostile names and descriptions stay within their line and cannot imitate structure.',
    status: 'held',
    tests: [
      ...tests('catalog', 'core/test/hostile', 'plain-text', 'unseen-text'),
      ...tests('results'),
    ],
    mutations: [
      mutate('truncate(withoutUnseen(', 'truncate((', 'unseen-text'),
      mutate(
        String.raw`.replace(/[\p{C}\p{Z}]+/gu, ' ')`,
        String.raw`.replace(/[\n\r]+/gu, ' ')`,
        'core/test/hostile',
        'plain-text',
      ),
      mutate('answer === undefined ? this.#shown', 'answer !== undefined ? this.#shown', 'results'),
    ],
  },
  {
    number: 37,
    text: 'Names from Object.prototype are treated like all other names.',
    status: 'held',
    tests: [...tests('check', 'envelope', 'core/test/hostile'), ...tests('odd-uses')],
    mutations: [
      mutate(
        'Object.hasOwn(earlier, groupId) ? earlier[groupId] : undefined',
        'earlier[groupId]',
        'core/test/hostile',
      ),
    ],
  },
  {
    number: 38,
    text: 'Schemas of every dialect are checked; a malformed schema accepts all arguments; nothing is fetched.',
    status: 'held',
    tests: tests(
      'check',
      'core/test/hostile',
      'schema',
      'hostile-schemas',
      'pattern-steps',
      'differential',
    ),
    mutations: [
      mutate('(piece.set & common) !== 0n', 'false', 'pattern-steps'),
      mutate(
        "if (isFlag ? typeof value !== 'boolean' : !form(value)) {",
        'if (isFlag && form === undefined) {',
        'check',
      ),
      mutate('isCertain: isCertain && doubt === 0', 'isCertain', 'hostile-schemas'),
      mutate('(matches) => matches === 1', '(matches) => matches > 0', 'differential'),
      mutate('isDeep && isNested(value, DEEP)', 'isDeep', 'check'),
      mutate(
        'return { ok: true, value, warning: error === BUDGET_SPENT ? TOO_LONG : unusable(error) };',
        'return { ok: false, problems: [unusable(error)] };',
        'check',
        'core/test/hostile',
      ),
    ],
  },
  {
    number: 39,
    text: 'With no tools, one, 50,000, or only failing loaders, nothing crashes and the model can always continue.',
    status: 'held',
    tests: [...tests('tool/limits', 'cases'), ...tests('odd-uses')],
    mutations: [
      mutate(
        'groups.every(({ group }) => group.unavailable)',
        'groups.length > 9_999',
        'tool/limits',
      ),
    ],
  },
  {
    number: 40,
    text: 'Every asynchronous path stops on its signal and leaves nothing running.',
    status: 'held',
    tests: [
      ...tests('test/abort', 'loads'),
      ...tests('approvals/abort', 'failures'),
      ...tests('process-groups', 'supervisor-script'),
      ...tests('host-end', 'server-end'),
    ],
    mutations: [
      mutate("'SIGHUP', 'SIGQUIT', ", '', 'process-groups'),
      mutate("trap '' HUP INT TERM QUIT", '', 'supervisor-script'),
      mutate(
        "if (flight.state !== 'settled') flight.controller.abort();",
        '',
        'test/abort',
        'loads',
      ),
      mutate('current?.incoming?.abort();', '', 'failures'),
    ],
  },
  ...ofNative,
  {
    number: 43,
    text: 'The account of a task by its turns and loads is within 5 % of what is sent; the estimate by their number and size is within 10 %.',
    status: 'held',
    tests: tests('prefix/estimate', 'estimate-long'),
    mutations: [
      {
        ...mutate('messages: frames + schemas', 'messages: frames'),
        tests: tests('prefix/estimate'),
      },
    ],
  },
  ...ofSubagents,
  ...ofPolicy,
  ...ofConnections,
  ...ofSessions,
  ...ofOwnTools,
  ...ofApprovals,
  ...ofShownCalls,
  ...ofLog,
  ...ofCommands,
  ...ofGateway,
  ...ofFiles,
  ...ofRefusedTools,
  ...ofTrust,
  ...ofSteering,
  ...ofDamagedFiles,
];
