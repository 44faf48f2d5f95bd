import type { ModelMessage } from 'ai';
import type { ChoosePreload } from '../../ai-sdk/index.ts';
import { type Addressed, matchesTool } from '../../tools/access/index.ts';
import { textOf } from '../conversation/index.ts';
import { choosePreload, matchedCategories } from './preload-choice.ts';
import { type Router, toolsOf } from './routing.ts';

/** Below this many words, the last assistant message is searched too: it says more than the user's text. */
const FEW_WORDS = 5;
/** Characters at the end of the assistant message that are searched. */
const TAIL = 300;

/** Limit of clauses of one message that are searched separately. */
const MAX_CLAUSES = 6;

/**
 * Preloads the schemas that clearly match a turn. Searches each sentence or clause separately, because
 * people ask for several things at once, and also the last assistant message if the user's text is
 * short. `words` replace the user's text where the request is known more exactly.
 */
export function preloadBy(router: Router, words?: string): ChoosePreload {
  return ({ user: userText, assistant, tools, search, hasShown, tokensOf }) => {
    const user = words ?? userText;
    const turn = assistant === undefined ? { user } : { user, assistant };
    const matched = matchedCategories(router.match(turn), tools);
    const isShort = user.trim().split(/\s+/).length < FEW_WORDS;
    const queries =
      isShort && assistant ? [user, `${assistant.slice(-TAIL)} ${user}`] : clausesOf(user);
    const chosen = queries.flatMap((query) => {
      const hits = search(query, 4);
      const already = new Set(hits.map(({ key }) => key).filter(hasShown));
      return choosePreload({ matched, hits, already, tokensOf });
    });
    return [...new Set(chosen)];
  };
}

function clausesOf(text: string): string[] {
  const clauses = text.split(/[.;!?\n]+|\b(?:and|then|und|dann|et|puis|y|luego)\b/iu);
  const trimmed = clauses.map((clause) => clause.trim()).filter((clause) => clause !== '');
  return [...new Set([text, ...trimmed])].slice(0, MAX_CLAUSES);
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
  const categories = new Set<ReturnType<Router['match']>[number]>();
  const used = new Set<string>();
  let assistant: string | undefined;
  for (const message of messages) {
    const text = textOf(message);
    if (message.role === 'user') {
      const turn = assistant === undefined ? { user: text } : { user: text, assistant };
      for (const category of router.match(turn)) categories.add(category);
    }
    if (message.role !== 'assistant') continue;
    if (text !== '') assistant = text;
    for (const part of typeof message.content === 'string' ? [] : message.content)
      if (part.type === 'tool-call') used.add(part.toolName);
  }
  const globs = toolsOf([...categories]);
  // A tool that a category covers is not added: another glob would begin another epoch.
  const others = [...used].filter((name) => {
    const address = addressOf(name);
    return !globs.some((glob) => matchesTool(glob, address));
  });
  return [...new Set([...globs, ...others])].sort();
}
