import type { ModelMessage } from 'ai';
import type { ChoosePreload } from '../../ai-sdk/index.ts';
import { type Addressed, matchesTool } from '../../tools/access/index.ts';
import { textOf } from '../conversation/index.ts';
import { choosePreload, matchedCategories } from './preload-choice.ts';
import { type Router, toolsOf } from './routing.ts';

/** Below this many words, what was last said to the user says more than their own. */
const FEW_WORDS = 5;
/** Characters of it that a search is given. */
const TAIL = 300;

/** Parts of one message that are searched for by themselves. */
const MAX_CLAUSES = 6;

/**
 * Hands over what the turn's words clearly speak of: each sentence or clause by itself, as people ask
 * for several things at once; and what was last said to them, where their own words are few. `words`
 * stand for the turn's own where it is known better what is asked.
 */
export function preloadBy(router: Router, words?: string): ChoosePreload {
  return ({ user: said, assistant, tools, search, hasShown, tokensOf }) => {
    const user = words ?? said;
    const spoken = assistant === undefined ? { user } : { user, assistant };
    const matched = matchedCategories(router.match(spoken), tools);
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
  const spoken = clauses.map((clause) => clause.trim()).filter((clause) => clause !== '');
  return [...new Set([text, ...spoken])].slice(0, MAX_CLAUSES);
}

/**
 * Globs of all tools that a conversation has spoken of or used, sorted; empty where it needs none. A
 * function of the messages: what matched once stays.
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
  // What a category covers adds nothing: another glob would be another epoch.
  const others = [...used].filter((name) => {
    const address = addressOf(name);
    return !globs.some((glob) => matchesTool(glob, address));
  });
  return [...new Set([...globs, ...others])].sort();
}
