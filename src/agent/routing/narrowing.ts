import type { ModelMessage } from 'ai';
import type { ChoosePreload, PreloadTurn } from '../../ai-sdk/index.ts';
import type { Category } from '../../config/index.ts';
import { type Addressed, matchesTool } from '../../tools/registry/globs/index.ts';
import { pick } from '../../tools/values/index.ts';
import { partsOf, textOf } from '../state/index.ts';
import { type Candidate, candidatesOf } from './candidates.ts';
import { choosePreload, toolsInCategories } from './preload-choice.ts';
import { type Router, toolsOf } from './routing.ts';

/** Below this many words, the last assistant message is searched too: it says more than the user's text. */
const FEW_WORDS = 5;
/** Characters at the end of the assistant message that are searched. */
const TAIL = 300;
/** Limit of texts that are searched for one message: all of it, and its clauses. */
const MAX_TEXTS = 6;

/**
 * Preloads the schemas that most likely save more tokens than they cost. Searches the text and each of its
 * clauses, and also the last assistant message if the user's text is short. Preloads nothing if the scores of
 * the search cannot be compared. `words` replace the user's text where the request is known more exactly.
 */
export function preloadBy(router: Router, words?: string): ChoosePreload {
  return (turn) => {
    const candidates = candidatesFor(router, turn, words);
    if (candidates.length === 0) return [];
    return choosePreload({ candidates, ...pick(turn, 'requestTokens', 'hasShown', 'tokensOf') });
  };
}

/** The tools that `preloadBy` chooses from. */
export function candidatesFor(
  router: Router,
  { user: userText, assistant, tools, search }: PreloadTurn,
  words?: string,
): readonly Candidate[] {
  const user = words ?? userText;
  const isShort = user.trim().split(/\s+/).length < FEW_WORDS;
  const texts =
    isShort && assistant ? [`${assistant.slice(-TAIL)} ${user}`, user] : clausesOf(user);
  const bareNames = new Map(tools.map(({ name, bare }) => [name, bare]));
  return candidatesOf({
    texts,
    search,
    bareOf: (key) => bareNames.get(key) ?? key,
    inCategory: toolsInCategories(router.match({ user, assistant }), tools),
  });
}

/**
 * Globs of all tools whose categories the conversation has matched, and of all tools it has used,
 * sorted. Empty if it needs none. Depends only on the messages, so a category stays once matched.
 */
export function narrowTo(
  router: Router,
  messages: readonly ModelMessage[],
  addressOf: (name: string) => Addressed,
): readonly string[] {
  const categories = new Set<Category>();
  const used = new Set<string>();
  let assistant: string | undefined;
  for (const message of messages) {
    const text = textOf(message);
    if (message.role === 'user') {
      for (const category of router.match({ user: text, assistant })) categories.add(category);
    }
    if (message.role !== 'assistant') continue;
    if (text !== '') assistant = text;
    for (const part of partsOf([message])) if (part.type === 'tool-call') used.add(part.toolName);
  }
  const globs = toolsOf([...categories]);
  // A tool that a category covers is not added: another glob would begin another epoch.
  const others = [...used].filter((name) => {
    const address = addressOf(name);
    return !globs.some((glob) => matchesTool(glob, address));
  });
  return [...new Set([...globs, ...others])].sort();
}

/** The text and its clauses, because people ask for several things at once. */
export function clausesOf(text: string): readonly string[] {
  const clauses = text.split(/[.;!?\n]+|\b(?:and|then|und|dann|et|puis|y|luego)\b/iu);
  const trimmed = clauses.map((clause) => clause.trim()).filter((clause) => clause !== '');
  return trimmed.length < 2 ? [text] : [...new Set([text, ...trimmed])].slice(0, MAX_TEXTS);
}
