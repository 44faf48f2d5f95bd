export { checkKnown, type KnownOptions } from './known-options.ts';
export { canonicalName, groupSlug, isLegalName, MAX_NAME, shownName, withHash } from './names.ts';
export { plainName } from './written-name.ts';
