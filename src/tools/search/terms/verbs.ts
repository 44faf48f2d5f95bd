/** Verbs that tools use for the same thing. A verb may be in several groups; opposites never share one. */
const GROUPS: readonly string[] = [
  'create make add insert register',
  'delete remove erase drop discard destroy purge clear wipe trash',
  'strip detach remove unlink clear',
  'update edit modify change alter set adjust patch rename',
  'get fetch retrieve read load obtain lookup',
  'show display view render print present get read',
  'list show display enumerate view',
  'find search locate lookup look query discover seek',
  'send post publish deliver',
  'run execute launch invoke perform',
  'start launch begin initiate',
  'stop cancel abort kill terminate end halt',
  'move relocate transfer',
  'copy clone duplicate replicate',
  'attach add append upload include',
  'append add insert',
  'connect link relate relation associate tie',
  'disconnect unlink detach',
  'merge join combine unite',
  'split divide separate',
  'translate convert transform turn',
  'download fetch save',
  'upload import attach',
  'export save download dump',
  'save store write keep persist',
  'compare diff',
  'close shut quit',
  'calculate compute estimate determine',
  'describe explain',
  'reply answer respond',
  'label tag mark flag',
  'capture screenshot record',
  'enable activate',
  'disable deactivate',
  'pause suspend',
  'resume restore continue',
  'assign allocate delegate',
  'schedule book plan reserve',
  'verify validate check',
  'summarize condense',
  'restore recover undo revert reset',
  'share invite',
  'navigate go visit',
  'type enter fill input',
  'press click tap',
  'pick select choose',
];

const others = new Map<string, Set<string>>();
for (const verbs of GROUPS.map((group) => group.split(' '))) {
  for (const verb of verbs) {
    const found = others.get(verb) ?? new Set();
    for (const other of verbs) if (other !== verb) found.add(other);
    others.set(verb, found);
  }
}

/** Other verbs that tools use for the same thing. Empty for most words. */
export function otherVerbs(word: string): readonly string[] {
  return [...(others.get(word) ?? [])];
}
