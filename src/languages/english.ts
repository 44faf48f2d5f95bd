/** Words that show that a query is in English. */
const FUNCTION_WORDS = `
a about above after all also am an and any are as at be because been before being below
between both but by can could did do does doing down during each few for from further had
has have having he her here hers him his how i if in into is it its just let me more most
my no nor not now of off on once only or other our out over own please same she should so
some such than that the their them then there these they this those through to too under
until up us very was we were what when where which while who whom why will with would you
your
`;

/** Whether words are English, judged by grammatical words and the words that tables translate to. */
export interface English {
  isFunctionWord(word: string): boolean;
  /** Whether a table translates to it. */
  isToolWord(word: string): boolean;
  /** Whether it is an English word, also with a common ending. */
  isWord(word: string): boolean;
}

export function createEnglish(headWords: Iterable<string>, others: string): English {
  const grammatical = new Set(FUNCTION_WORDS.trim().split(/\s+/));
  const heads = new Set(headWords);
  const words = new Set([...grammatical, ...heads, ...others.trim().split(/\s+/)]);
  return {
    isFunctionWord: (word) => grammatical.has(word),
    isToolWord: (word) => heads.has(word),
    isWord: (word) => formsOf(word).some((form) => words.has(form)),
  };
}

function formsOf(word: string): readonly string[] {
  const forms = [word];
  for (const ending of ['s', 'es', 'd', 'ed', 'ing'])
    if (word.endsWith(ending) && word.length > ending.length + 2)
      forms.push(word.slice(0, -ending.length));
  if (word.endsWith('ing')) forms.push(`${word.slice(0, -3)}e`);
  if (word.endsWith('ies')) forms.push(`${word.slice(0, -3)}y`);
  return forms;
}
