export { canonicalName, groupSlug, isLegalName, MAX_NAME, shownName, withHash } from './names.ts';
