/** The variable of a provider's key if nothing else is known of it. */
export function keyVariable(provider: string): string {
  return `${provider.toUpperCase().replace(/[^A-Z0-9]+/g, '_')}_API_KEY`;
}
