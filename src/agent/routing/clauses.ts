/** Limit of texts that are searched for one message: all of it, and its clauses. */
const MAX_TEXTS = 6;

/** The text and its clauses, because people ask for several things at once. */
export function clausesOf(text: string): readonly string[] {
  const clauses = text.split(/[.;!?\n]+|\b(?:and|then|und|dann|et|puis|y|luego)\b/iu);
  const trimmed = clauses.map((clause) => clause.trim()).filter((clause) => clause !== '');
  return trimmed.length < 2 ? [text] : [...new Set([text, ...trimmed])].slice(0, MAX_TEXTS);
}
