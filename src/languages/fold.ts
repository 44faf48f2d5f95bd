/** Lower case without accents: `Häuser` becomes `hauser`, `créé` becomes `cree`, `ß` becomes `ss`. */
export function fold(text: string): string {
  return text
    .toLowerCase()
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replaceAll('ß', 'ss')
    .replaceAll('œ', 'oe')
    .replaceAll('æ', 'ae');
}

/** The words of folded text, and punctuation that ends a clause as words of their own. */
export function tokensOf(folded: string): readonly string[] {
  return folded.match(/[a-z]+|[.,;:!?]+/g) ?? [];
}
