import type {
  ElicitationAnswer,
  ElicitationRequest,
  FormProblem,
  FormValue,
} from '@toolfold/core/internal/tool';
import { ownProperties, ownProperty, pick } from '@toolfold/core/internal/values';
import { answerInTime, type RequestOptions, type ServerRequestContext } from './calls-in-flight.ts';
import { FormError, formFields, formProblems } from './form-fields.ts';

const MAX_MESSAGE = 4000;
const MAX_URL = 2000;

const MAX_ATTEMPTS = 5;

/** What an elicitation needs besides its parameters. */
interface ElicitationContext extends ServerRequestContext {
  readonly mode: RequestOptions['elicitation'];
}

type ElicitationResult = ElicitationAnswer & { readonly _meta?: object };

/** Answers `elicitation/create`. Its parameters are untrusted. Never rejects. */
export async function elicit(
  params: unknown,
  context: ElicitationContext,
): Promise<ElicitationResult> {
  const { call, mode, refusal, warn } = context;
  const isPossible = mode !== undefined && call.host?.elicit !== undefined;
  const why = refusal || (isPossible ? undefined : 'nobody can be asked');
  if (why) return declined(`it asked for an answer of the user, but ${why}`, warn);
  let asked: ElicitationContent;
  try {
    asked = readAsked(params, context);
  } catch (error) {
    if (!(error instanceof FormError)) throw error;
    return declined(`it asked for an answer of the user, but ${error.message}`, warn);
  }
  try {
    return await answerInTime((ends) => askUntilValid(asked, context, ends), context);
  } catch {
    // The call has ended, the time is over, or the host failed: the user has not chosen anything.
    return { action: 'cancel' };
  }
}

type ElicitationContent = Pick<ElicitationRequest, 'message' | 'fields' | 'url'>;

function readAsked(params: unknown, { texts, mode }: ElicitationContext): ElicitationContent {
  const { mode: given = 'form', message, requestedSchema, url } = ownProperties(params);
  if (typeof message !== 'string') throw new FormError('it gave no message');
  const shown = texts.lines(message, MAX_MESSAGE);
  if (given === 'form') return { message: shown, fields: formFields(requestedSchema, texts) };
  if (given !== 'url') throw new FormError('in a way that is not known');
  if (mode !== 'url') throw new FormError('pages cannot be opened');
  return { message: shown, fields: [], url: readUrl(url) };
}

function readUrl(value: unknown): string {
  const url = typeof value === 'string' && value.length <= MAX_URL ? URL.parse(value) : null;
  if (url === null || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '')
    throw new FormError('its page has no plain http or https address');
  return url.href;
}

async function askUntilValid(
  { message, fields, url }: ElicitationContent,
  { server, call }: ElicitationContext,
  signal: AbortSignal,
): Promise<ElicitationAnswer> {
  let problems: readonly FormProblem[] | undefined;
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    signal.throwIfAborted();
    const answer: unknown = await call.host?.elicit?.({
      ...{ server, message, fields, signal },
      ...(url !== undefined && { url }),
      ...(problems && { problems }),
    });
    const action = ownProperty(answer, 'action');
    if (action === 'decline') return { action };
    if (action !== 'accept') return { action: 'cancel' };
    if (url !== undefined) return { action };
    const content = ownProperty(answer, 'content') ?? {};
    problems = formProblems(fields, content);
    if (problems.length > 0) continue;
    const given = pick(ownProperties(content), ...fields.map(({ name }) => name));
    return { action, content: given as Record<string, FormValue> };
  }
  return { action: 'cancel' };
}

function declined(reason: string, warn: (text: string) => void): ElicitationResult {
  warn(`${reason}; this was declined`);
  return { action: 'decline', _meta: { 'toolfold/reason': reason } };
}
