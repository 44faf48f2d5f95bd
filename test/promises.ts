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
    tests: [...core('views', 'hidden-names'), ...sdk('roles')],
    mutations: [
      mutate('calls/near-tools', '(text) => shown(text) !== undefined', '() => true', 'views'),
      mutate('calls/scope', '!toolbox.mayHide(view, record)', 'true', 'hidden-names'),
    ],
  },
  {
    number: 21,
    text: "A role's list: if it is missing, all tools are allowed; otherwise those in the list; with an empty list, none.",
    status: 'held',
    tests: [...core('views', 'session/options-check'), ...sdk('roles')],
    mutations: [
      mutate(
        'registry/view',
        '(tools === undefined || (tools !== false && tools',
        '(!tools || tools.length === 0 || (tools',
        'views',
      ),
      mutate(
        'session/options-check',
        'role[key] === undefined || ROLE_KEYS.includes(key)',
        'true',
        'session/options-check',
      ),
    ],
  },
  {
    number: 22,
    text: 'A denial applies to the target tool on every route; neither the dispatcher nor a name that a server gives its tool grants anything.',
    status: 'held',
    tests: [...core('registry/globs/glob', 'views'), ...sdk('roles', 'unlisted')],
    mutations: [
      mutate(
        'registry/toolbox',
        "(view, entry) => view.allows(entry) && this.placement(entry).exposure !== 'hidden',",
        "(_view, entry) => this.placement(entry).exposure !== 'hidden',",
        'views',
      ),
      mutate(
        'registry/globs/glob',
        "pattern.lastIndexOf('/')",
        "pattern.indexOf('/')",
        'registry/globs/glob',
        'views',
      ),
      mutate(
        'registry/globs/glob',
        'matchesGlob(pattern.slice(0, slash), tool.groupId) &&\n    matchesGlob(pattern.slice(slash + 1), tool.bare)',
        'mayMatchTool(pattern, tool)',
        'registry/globs/glob',
        'views',
      ),
      mutate(
        'registry/view',
        '!sorted.some((glob) => mayMatchTool',
        '!sorted.some((glob) => matchesTool',
        'views',
      ),
      mutate(
        'registry/exposure',
        "exposure === 'hidden' ? mayMatchTool : matchesTool",
        'matchesTool',
        'views',
      ),
      mutateSdk('fields', 'session.find(name) !== undefined', 'true', 'roles'),
      {
        ...mutateHost(
          'resolve',
          'found: isKnown(name) ? notActive(name) : callAgain(name)',
          'found',
        ),
        tests: sdk('unlisted'),
      },
    ],
  },
  {
    number: 23,
    text: "A subagent has its own role within its parent's role, with working bridge tools.",
    status: 'held',
    tests: [...core('views'), ...team('subagents/authority')],
    mutations: [
      mutate('session/ceiling', 'if (!wants || hasAny(toolbox, view)) return;', 'return;', 'views'),
      mutate(
        'session/session',
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
    tests: ['packages/agent/src/agent/agent.test.ts'],
    mutations: [
      {
        ...mutate('registry/toolbox', 'this.#groupOf(entry)?.trusted === true', 'true'),
        tests: ['packages/agent/src/agent/agent.test.ts'],
      },
    ],
  },
  {
    number: 25,
    text: 'Parallel calls share a load; a failure is reported, not cached, and does not affect other groups.',
    status: 'held',
    tests: core('loading', 'registry/loads'),
    mutations: [
      mutate(
        'registry/loads',
        'this.#flights.get(group.groupId) ?? this.#start(group)',
        'this.#start(group)',
        'loading',
        'registry/loads',
      ),
    ],
  },
  {
    number: 26,
    text: 'Catalog and loader may list different tools: extra tools are callable, missing ones are named.',
    status: 'held',
    tests: core('loading', 'hidden-names'),
    mutations: [
      mutate(
        'calls/load',
        'else unknown.push(truncate(name, 80));',
        "else return groupFailed(scope, record, 'Unknown tool.', {});",
        'loading',
      ),
    ],
  },
  {
    number: 27,
    text: 'Loading twice gives the same bytes; a loaded tool is callable in the same step.',
    status: 'held',
    tests: core('loading', 'strategies/cases'),
    mutations: [
      mutate(
        'transcript/expanded',
        'if (askedAt !== step) before = ranks.size;',
        'before = ranks.size;',
        'loading',
      ),
    ],
  },
  {
    number: 28,
    text: 'State is a function of the transcript; messages alone give the same bytes in another process.',
    status: 'held',
    tests: [
      ...core('epochs', 'transcript/conversation', 'session/record', 'strategies/cases'),
      ...sdk('changes', 'resume', 'results/result-format'),
    ],
    mutations: [
      mutateSdk('request/wire-results', "stamp.f !== 'mcp'", 'true', 'results/result-format'),
      mutate('transcript/reduce', 'state.epoch = epoch;', '', 'epochs'),
      mutate('transcript/transcript-reader', ', this.#recorded.state)', ')', 'session/record'),
      mutateSdk(
        'metadata/note-part',
        'Object.assign(readNote(note), ',
        'Object.assign({}, ',
        'changes',
      ),
    ],
  },
  {
    number: 29,
    text: 'The explicit state is plain JSON and resumes unchanged; a mismatch is an error.',
    status: 'held',
    tests: core('epochs'),
    mutations: [
      mutate('transcript/expanded', 'if (whole) groups.set(groupId, null);', '', 'epochs'),
    ],
  },
  {
    number: 30,
    text: 'Removing old results never makes a tool uncallable.',
    status: 'held',
    tests: core('epochs'),
    mutations: [
      mutate(
        'request/presentation',
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
    tests: core('epochs'),
    mutations: [
      mutate('session/session', 'fork.#announcements = this.#announcements;', '', 'epochs'),
    ],
  },
  {
    number: 32,
    text: 'Every text shown to a model is bounded.',
    status: 'held',
    tests: core('tokens/limits', 'schema/schema', 'large-input'),
    mutations: [
      mutate('calls/load', 'asking?.slice(0, MAX_ASKED)', 'asking', 'large-input'),
      mutate('schema/shown-definition', 'size <= 2 * limits.load', 'size > 0', 'tokens/limits'),
      mutate(
        'calls/served-schema',
        'if (tokens > limit && taken.length > 0) break;',
        '',
        'tokens/limits',
      ),
    ],
  },
  {
    number: 33,
    text: 'The catalog fits its budget and shows every group as long as one line for each fits.',
    status: 'held',
    tests: core('epoch/catalog'),
    mutations: [
      mutate('epoch/catalog', "names: 0 }, budget, '') ??", 'names: 0 }) ??', 'epoch/catalog'),
      mutate(
        'epoch/catalog',
        'return catalog.tokens <= limit ? catalog : undefined;',
        'return catalog;',
        'epoch/catalog',
      ),
    ],
  },
  {
    number: 34,
    text: 'By its own estimate, the automatic choice never costs more than eager; it states the reason of the choice.',
    status: 'held',
    tests: [...core('epoch/auto'), ...sdk('unpriced-model'), 'test/bench-local.test.ts'],
    mutations: [
      mutate('epoch/auto', 'return price < eager', 'return price < eager * 2', 'epoch/auto'),
      mutate('epoch/auto', "options.prices !== 'unknown' && schemas", 'schemas', 'epoch/auto'),
      mutate('epoch/cost', '{ write: 1, read: 0 }', '{ write: 1, read: 1 }', 'epoch/auto'),
      mutateSdk('sessions', " ?? 'unknown'", ' ?? { write: 1.25, read: 0.1 }', 'unpriced-model'),
      mutate('epoch/auto', 'guessed.tools += some;', '', 'epoch/auto'),
    ],
  },
  {
    number: 35,
    text: 'The token ledger equals a recount of the recorded bodies, exactly to the token.',
    status: 'held',
    tests: sdk('request/facts/request-tokens'),
    mutations: [
      mutateSdk(
        'request/facts/message-texts',
        'if (/^(openai|azure)',
        'if (/^(nobody)',
        'request/facts/request-tokens',
      ),
    ],
  },
  {
    number: 36,
    text: 'Hostile names and descriptions stay within their line and cannot imitate structure.',
    status: 'held',
    tests: [
      ...core('epoch/catalog', 'hostile', 'values/plain-text', 'unseen-text'),
      ...sdk('results/results'),
    ],
    mutations: [
      mutate('values/plain-text', 'truncate(withoutUnseen(', 'truncate((', 'unseen-text'),
      mutate(
        'values/plain-text',
        String.raw`.replace(/[\p{C}\p{Z}]+/gu, ' ')`,
        String.raw`.replace(/[\n\r]+/gu, ' ')`,
        'hostile',
        'values/plain-text',
      ),
      mutateSdk(
        'request/wire-results',
        'answer === undefined ?',
        'answer !== undefined ?',
        'results/results',
      ),
    ],
  },
  {
    number: 37,
    text: 'Names from Object.prototype are treated like all other names.',
    status: 'held',
    tests: [...core('schema/check', 'calls/envelope', 'hostile'), ...sdk('odd-uses')],
    mutations: [
      mutate(
        'transcript/expanded',
        'Object.hasOwn(earlier, groupId) ? earlier[groupId] : undefined',
        'earlier[groupId]',
        'hostile',
      ),
    ],
  },
  {
    number: 38,
    text: 'Schemas of every dialect are checked; a malformed schema accepts all arguments; nothing is fetched.',
    status: 'held',
    tests: core(
      'schema/check',
      'hostile',
      'schema/schema',
      'hostile-schemas',
      'schema/patterns/pattern-steps',
      'schema/validator/differential',
    ),
    mutations: [
      mutate(
        'schema/patterns/pattern-steps',
        '(piece.set & common) !== 0n',
        'false',
        'schema/patterns/pattern-steps',
      ),
      mutate(
        'schema/validator/members',
        "if (isFlag ? typeof value !== 'boolean' : !form(value)) {",
        'if (isFlag && form === undefined) {',
        'schema/check',
      ),
      mutate(
        'schema/validator/run',
        'isCertain: isCertain && doubt === 0',
        'isCertain',
        'hostile-schemas',
      ),
      mutate(
        'schema/validator/rules-of-branches',
        '(matches) => matches === 1',
        '(matches) => matches > 0',
        'schema/validator/differential',
      ),
      mutate('schema/json-check', 'isDeep && isNested(value, DEEP)', 'isDeep', 'schema/check'),
      mutate(
        'schema/json-check',
        'return { ok: true, value, warning: error === BUDGET_SPENT ? TOO_LONG : unusable(error) };',
        'return { ok: false, problems: [unusable(error)] };',
        'schema/check',
        'hostile',
      ),
    ],
  },
  {
    number: 39,
    text: 'With no tools, one, 50,000, or only failing loaders, nothing crashes and the model can always continue.',
    status: 'held',
    tests: [...core('tokens/limits', 'strategies/cases'), ...sdk('odd-uses')],
    mutations: [
      mutate(
        'epoch/auto',
        'groups.every(({ group }) => group.unavailable)',
        'groups.length > 9_999',
        'tokens/limits',
      ),
    ],
  },
  {
    number: 40,
    text: 'Every asynchronous path stops on its signal and leaves nothing running.',
    status: 'held',
    tests: [
      ...core('abort', 'registry/loads'),
      ...sdk('abort', 'rounds/failures'),
      ...mcp('transport/processes/process-groups', 'transport/processes/supervisor-script'),
      ...mcp('transport/processes/host-end', 'transport/processes/server-end'),
    ],
    mutations: [
      mutateMcp(
        'transport/processes/process-groups',
        "'SIGHUP', 'SIGQUIT', ",
        '',
        'transport/processes/process-groups',
      ),
      mutateMcp(
        'transport/processes/supervisor-script',
        "trap '' HUP INT TERM QUIT",
        '',
        'transport/processes/supervisor-script',
      ),
      mutate(
        'registry/loads',
        "if (flight.state !== 'settled') flight.controller.abort();",
        '',
        'abort',
        'registry/loads',
      ),
      mutateSdk('rounds/stream-rounds', 'current?.incoming?.abort();', '', 'rounds/failures'),
    ],
  },
  ...ofNative,
  {
    number: 43,
    text: 'The account of a task by its turns and loads is within 5 % of what is sent; the estimate by their number and size is within 10 %.',
    status: 'held',
    tests: sdk('estimate', 'estimate-long'),
    mutations: [
      {
        ...mutate('epoch/loads', 'messages: frames + schemas', 'messages: frames'),
        tests: sdk('estimate'),
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
