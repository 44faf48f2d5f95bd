import { isDeepStrictEqual } from 'node:util';
import type { ModelServer } from '@toolfold/testing/internal/doubles/model-server.ts';
import type { RecordedRequest } from '@toolfold/testing/internal/wire/recorded-request.ts';
import { modelOn } from '../endpoints.test-support.ts';
import { resultsOn } from '../wire.test-support.ts';
import { POLICIES, REASON } from './rules.test-support.ts';
import { DIALECTS } from './strategies.test-support.ts';
import { Talk } from './talk.test-support.ts';
import {
  type Coordinates,
  isOwn,
  isUnknownYet,
  type Outcome,
  Trial,
} from './trial.test-support.ts';
import type { Expected, Resumed, Way } from './way.test-support.ts';

/** Plays one case against the server. `stage` installs its replies and returns its base address. */
export async function play(at: Coordinates, way: Way, stage: Stage): Promise<Outcome> {
  const { endpoint } = DIALECTS[at.strategy];
  const { server, requests, reply } = stage(endpoint.provider);
  const trial = new Trial(at, way, modelOn(server, endpoint));
  reply(trial);
  const talk = new Talk(at.mode);
  const settings = way.settings?.(trial) ?? {};
  let asked: Outcome['asked'] = [];
  let denied: Outcome['denied'] = [];
  let askedAgain: Outcome['askedAgain'] = [];
  let runsBefore = 0;
  let error: unknown;
  try {
    let fields = trial.open();
    await talk.run(fields, settings);
    asked = structuredClone(talk.questions);
    denied = talk.denied;
    runsBefore = runsOf(trial).length;
    if (asked.length > 0) {
      talk.answer(at.answer === 'yes');
      if (way.resume) {
        talk.pack();
        way.resume.tamper?.(talk);
        fields = trial.open(way.resume.changes);
      }
      await talk.run(fields, settings);
      askedAgain = structuredClone(talk.questions);
    }
  } catch (thrown) {
    error = thrown;
  }
  const played = { trial, requests, asked, denied, askedAgain, runsBefore };
  return { ...played, ...(error === undefined ? {} : { error }) };
}

/** The model address of one case: the server under a separate path. */
export type Stage = (provider: Parameters<ModelServer['baseUrl']>[0]) => {
  readonly server: ModelServer;
  readonly requests: readonly RecordedRequest[];
  readonly reply: (trial: Trial) => void;
};

const runsOf = ({ runs, target }: Trial) => runs.filter(({ tool }) => tool === target);

/** The expected outcome of a case before the user answers. */
export function expectedAt(at: Coordinates, way: Way): Expected {
  const { comesTo, hook, byFinal = false } = POLICIES[at.policy];
  const usual = (): Expected => {
    // The tool's `needsApproval` and schema are not known before it has loaded. Loading
    // has to wait for the earlier call, and then it is too late to ask the user.
    const isKnownLate = isUnknownYet(at) && (!hook || (byFinal && way.isMadeBySchema === true));
    if (isKnownLate && comesTo === 'denied') return 'refused';
    if (isKnownLate && comesTo === 'asks' && at.field !== 'overridden') return 'told to call again';
    if (comesTo !== 'asks' || at.field !== 'overridden') return comesTo;
    if (hook) return 'approval needed';
    // The app's own function overrides the tool. For a tool that loads only when it runs, it is
    // not known whether the app's function decided or the tool was never asked.
    return isUnknownYet(at) ? 'either' : 'runs';
  };
  return way.expects?.(at, usual()) ?? usual();
}

/** The errors of an outcome. */
export function problemsOf(outcome: Outcome): string[] {
  const { trial, error } = outcome;
  const { at, way } = trial;
  const expected = expectedAt(at, way);
  const problems = [
    ...beforeAnswer(outcome, expected),
    ...(expected === 'asks' && outcome.asked.length > 0 ? afterAnswer(outcome) : []),
    ...unseenRuns(trial),
    ...unshownRuns(outcome),
    ...(way.also?.(outcome) ?? []),
  ];
  if (error !== undefined && !(way.mayThrow && outcome.asked.length > 0) && !way.isLeftOpen)
    problems.push(`it threw ${String(error).slice(0, 200)}`);
  const isJudgedByHook = POLICIES[at.policy].comesTo === 'denied' && at.field === 'third field';
  if (isJudgedByHook && !way.mayRepair && trial.repairs > 0)
    problems.push('repairToolCall was asked about a denied call');
  if (at.position === 'later' && !way.abortedBy && !trial.runs.some(({ tool }) => tool === 'note'))
    problems.push('the call before it did not run');
  return problems;
}

function beforeAnswer(outcome: Outcome, expected: Expected): string[] {
  const { trial, asked, denied, runsBefore } = outcome;
  const { at, way, target, runs } = trial;
  const { times = 1, approved = trial.final } = way;
  const questions = asked.filter(({ toolName }) => toolName === target);
  switch (expected) {
    case 'runs':
      return [
        ...(asked.length > 0 ? ['the user was asked'] : []),
        ...ranWith(trial, trial.final, times),
      ];
    case 'open':
      return [];
    case 'either':
      return runsOf(trial).length === 0 ? [] : ranWith(trial, trial.final, times);
    case 'denied':
      return [
        ...didNotRun(trial),
        ...(asked.length > 0 ? ['the user was asked'] : []),
        ...reads(outcome, REASON),
        ...(at.field === 'third field' && !denied.includes(target)
          ? ['the result is not execution-denied']
          : []),
      ];
    case 'refused':
      return [...didNotRun(trial), ...reads(outcome, REASON)];
    case 'asks':
      return [
        ...(runsBefore > 0 ? [`ran before the answer: ${JSON.stringify(runs)}`] : []),
        ...(questions.length === times ? [] : [`${questions.length} questions, not ${times}`]),
        ...questions.flatMap(({ input }) =>
          isDeepStrictEqual(input, approved) || isShownAsWritten(trial, input)
            ? []
            : [`asked about ${JSON.stringify(input)}, not ${JSON.stringify(approved)}`],
        ),
      ];
    case 'approval needed':
      return [
        ...didNotRun(trial),
        ...reads(outcome, 'approval_needed'),
        ...(trial.warnings.some((text) => text.includes('toolApproval'))
          ? []
          : ['no warning names the remedy']),
      ];
    case 'told to call again':
      return [...didNotRun(trial), ...reads(outcome, 'approval_needed')];
    case 'not run':
      return didNotRun(trial);
  }
}

/** The transformed input of a group tool is shown if the schema is known and does not change it again. */
function isShownAsWritten({ at, way, written }: Trial, input: unknown): boolean {
  const { isMadeBySchema, isMadeAnew } = way;
  if (isOwn(at) || !isMadeBySchema || !isDeepStrictEqual(input, written)) return false;
  return isUnknownYet(at) || isMadeAnew === true;
}

function afterAnswer(outcome: Outcome): string[] {
  const { trial } = outcome;
  const { at, way } = trial;
  const { times = 1, approved = trial.final } = way;
  if (way.isLeftOpen) return [];
  if (at.answer === 'no') return didNotRun(trial);
  // The user was asked before the tool had loaded: another process can compare only the listing of the group.
  const usual = isShownAsRun(outcome) ? 'runs' : 'not run';
  const said = usual === 'runs' ? (way.resumes?.(at) ?? usual) : usual;
  const isChanged = way.resume?.changes?.schema ?? way.resume?.changes?.description;
  const resumed: Resumed = isUnknownYet(at) && isChanged !== undefined ? 'either' : said;
  switch (resumed) {
    case 'runs':
      return ranWith(trial, trial.final, times);
    case 'either':
      return runsOf(trial).length === 0 ? [] : ranWith(trial, approved, times);
    case 'denied':
      return [...didNotRun(trial), ...reads(outcome, REASON)];
    case 'approval needed':
      return [...didNotRun(trial), ...reads(outcome, 'approval_needed')];
    case 'not run':
      return didNotRun(trial);
  }
}

function didNotRun(trial: Trial): string[] {
  const runs = runsOf(trial);
  return runs.length === 0 ? [] : [`ran ${runs.length} times: ${JSON.stringify(runs[0]?.input)}`];
}

function ranWith(trial: Trial, input: unknown, times: number): string[] {
  const runs = runsOf(trial);
  if (runs.length !== times) return [`ran ${runs.length} times, not ${times}`];
  const other = runs.find((run) => !isDeepStrictEqual(run.input, input));
  return other ? [`ran with ${JSON.stringify(other.input)}, not ${JSON.stringify(input)}`] : [];
}

/** Whether the user was shown the input with which the tool would run. */
function isShownAsRun({ trial, asked }: Outcome): boolean {
  const { way, target, final } = trial;
  if (way.approved !== undefined) return true;
  return asked.every(
    ({ toolName, input }) => toolName !== target || isDeepStrictEqual(input, final),
  );
}

/** Runs after an answer whose input the user was not shown. */
function unshownRuns(outcome: Outcome): string[] {
  const { trial, asked, runsBefore } = outcome;
  const { way, target } = trial;
  if (asked.length === 0 || way.approved !== undefined) return [];
  return runsOf(trial)
    .slice(runsBefore)
    .flatMap(({ input }) =>
      asked.some((shown) => shown.toolName === target && isDeepStrictEqual(shown.input, input))
        ? []
        : [`the user was not shown ${JSON.stringify(input)}`],
    );
}

/** Whether a result contains the text. */
function reads({ requests, trial }: Outcome, words: string): string[] {
  if (trial.way.isLeftOpen || trial.way.isUnread) return [];
  const last = requests.at(-1);
  const texts = last ? resultsOn(last).map(({ text }) => text) : [];
  if (texts.some((text) => text.includes(words))) return [];
  return [`the model does not read ${words} but ${JSON.stringify(texts.at(-1))?.slice(0, 160)}`];
}

/** Runs whose input no hook saw. */
function unseenRuns(trial: Trial): string[] {
  if (!POLICIES[trial.at.policy].hook) return [];
  return runsOf(trial).flatMap(({ tool, input }) =>
    trial.seen.some(
      (call) => call.name === tool && isDeepStrictEqual(call.arguments as unknown, input),
    )
      ? []
      : [`no hook was shown ${JSON.stringify(input)}`],
  );
}
