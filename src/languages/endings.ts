import type { Shorten } from './dictionary.ts';

const GERMAN =
  'ungen ung ende enden endes ender innen in ern est end ete ten tet en em er es et te st e n s t'.split(
    ' ',
  );
const SPANISH = (
  's es o a e as os ar er ir an en ando iendo ado ada ados adas ido ida idos idas ' +
  'amos emos imos aron ieron ara are aba aban cion ciones'
).split(' ');
const FRENCH = 's x e es er ez r ons ent ant ee ees ait ais era erai it is ir ation ations'.split(
  ' ',
);

/** Parts of German verbs that stand apart from them: `lade … hoch` is `hochladen`. */
export const PARTICLES: ReadonlySet<string> = new Set(
  (
    'ab an auf aus bei durch ein fest frei her heraus herunter hinzu hoch mit nach rauf raus ' +
    'runter um vor weg weiter wieder zu zuruck zusammen'
  ).split(' '),
);

const AFTER_PARTICLE = new RegExp(`^(${[...PARTICLES].join('|')})(?:ge|zu)(.+)$`);
const CLITIC = /^(.{2,}(?:[aei]r|[ae]|ndo|d))(?:me|te|se|nos|le|les)?(?:me|te|se|nos|l[aeo]s?)$/;

/** German: endings, participles (`gelöscht`, `angelegt`) and `ae` for `ä`. */
export const shortenGerman: Shorten = (word) => {
  const forms = [word];
  const umlauts = word.replace(/(?<![aeq])([aou])e/g, '$1');
  if (umlauts !== word) forms.push(umlauts);
  const apart = AFTER_PARTICLE.exec(word);
  if (apart) forms.push(`${apart[1]}${apart[2]}`);
  if (/^ge.{3,}(?:t|en)(?:e[nmrs]?)?$/.test(word)) forms.push(word.slice(2));
  return forms.flatMap((form, i) => (i === 0 ? [] : [form]).concat(without(form, GERMAN)));
};

/** Spanish: plurals, endings of verbs, and pronouns behind verbs (`búscame`, `enviarle`). */
export const shortenSpanish: Shorten = (word) => {
  const verb = CLITIC.exec(word)?.[1];
  const forms = without(word, SPANISH);
  return verb === undefined ? forms : [...forms, verb, ...without(verb, SPANISH)];
};

/** French: plurals and endings of verbs. */
export const shortenFrench: Shorten = (word) => {
  const singular = word.endsWith('aux') ? [`${word.slice(0, -3)}al`] : [];
  return [...singular, ...without(word, FRENCH)];
};

/** The word without each ending that fits, the longest rest first. */
function without(word: string, endings: readonly string[]): readonly string[] {
  return endings
    .filter((ending) => word.endsWith(ending) && word.length - ending.length >= 3)
    .sort((a, b) => a.length - b.length)
    .map((ending) => word.slice(0, -ending.length));
}
