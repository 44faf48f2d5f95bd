import { STOP_WORDS } from './stop-words.ts';

/** What a tool does, or a query asks for, in the roughest terms. */
export type Action = 'read' | 'write' | 'remove';

/**
 * Verbs that tools use for the same thing, by what they do. A verb may be in several groups; opposites never share
 * one. Verbs of `other` do none of this, or are also names of things, such as `label`.
 */
const GROUPS: Readonly<Record<Action | 'other', string>> = {
  read:
    'get fetch retrieve read load obtain lookup;show display view render print present get read;' +
    'list show display enumerate view;find search locate lookup look query discover seek;' +
    'browse;check;compare;count;describe;examine;inspect;monitor;recommend;scan;see;suggest;watch;' +
    'long;many;much;old',
  write:
    'create make add insert register;update edit set change modify alter adjust patch rename;' +
    'send post publish deliver;move relocate transfer;copy clone duplicate replicate;' +
    'attach add append upload include;append add insert;save store write keep persist;share invite;' +
    'apply;assign;build;configure;connect;deploy;draft;enable;fork;forward;install;merge;push;put;' +
    'replace;reply;restore;submit;upsert',
  remove:
    'delete remove erase drop discard destroy purge clear wipe trash;strip detach remove unlink clear;' +
    'cancel;decline;forget;reject;rid;throw;uninstall;unsubscribe',
  other:
    'run execute launch invoke perform;start launch begin initiate;' +
    'stop cancel abort kill terminate end halt;connect link relate relation associate tie;' +
    'disconnect unlink detach;merge join combine unite;split divide separate;' +
    'translate convert transform turn;download fetch save;upload import attach;' +
    'export save download dump;compare diff;close shut quit;calculate compute estimate determine;' +
    'describe explain;reply answer respond;label tag mark flag;capture screenshot record;' +
    'enable activate;disable deactivate;pause suspend;resume restore continue;' +
    'assign allocate delegate;schedule book plan reserve;verify validate check;summarize condense;' +
    'restore recover undo revert reset;navigate go visit;type enter fill input;press click tap;' +
    'pick select choose',
};

/** Words that ask a question. */
const QUESTION = /^wh(?:at|ich|o|ose|ere|en|y)$/;
/** Words that ask a question where a clause begins with them. */
const FIRST_WORD = /^(?:is|are|was|were|do|does|did|has|have|had)$/;

const others = new Map<string, Set<string>>();
const actions = new Map<string, Action>();
for (const [action, groups] of Object.entries(GROUPS)) {
  for (const verbs of groups.split(';').map((group) => group.split(' '))) {
    for (const verb of verbs) {
      const found = others.get(verb) ?? new Set();
      for (const other of verbs) if (other !== verb) found.add(other);
      others.set(verb, found);
      if (action !== 'other') actions.set(verb, action as Action);
    }
  }
}

/** Other verbs that tools use for the same thing. Empty for most words. */
export function otherVerbs(word: string): readonly string[] {
  return [...(others.get(word) ?? [])];
}

/** What the first verb of some words does, also where it ends in `s`; undefined without any. */
export function actionOf(words: readonly string[]): Action | undefined {
  for (const word of words) {
    const action = actions.get(word) ?? (word.endsWith('s') && actions.get(word.slice(0, -1)));
    if (action) return action;
  }
  return undefined;
}

/** What the clauses of a query ask for, as far as they say it. */
export function askedActions(clauses: readonly (readonly string[])[]): ReadonlySet<Action> {
  return new Set(clauses.flatMap((words) => askedAction(words) ?? []));
}

/** What a clause asks for: a question asks to read, and of other clauses the first word that is not polite says it. */
function askedAction(words: readonly string[]): Action | undefined {
  const at = words.findIndex((word) => !STOP_WORDS.has(word));
  const polite = at < 0 ? words : words.slice(0, at);
  if (FIRST_WORD.test(polite[0] ?? '') || polite.some((word) => QUESTION.test(word))) return 'read';
  const [verb = '', next] = words.slice(polite.length);
  return actionOf([next === 'rid' ? next : verb]);
}
