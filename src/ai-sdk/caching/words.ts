/** The endpoint has refused marks. */
export function refusedText(model: string, why: string, instead: '5m' | 'nothing'): string {
  const since =
    instead === '5m'
      ? 'The request was sent again with marks for five minutes, and so are the next ones.'
      : 'The request was sent again without, and the next ones ask for no cache.';
  return `${model} refused the marks of the prompt cache: ${why}. ${since} To avoid the refused request, set \`cache\` to ${instead === '5m' ? '{ ttl: "5m" }' : 'false'} for this model.`;
}

/** The provider was asked for its cache, and reads nothing. */
export function unreadText(model: string, requests: number): string {
  return `${model} was asked for its prompt cache and has read nothing in ${requests} requests that continue a conversation. Likely reasons: a proxy before the provider drops the marks; each request begins with other bytes, such as a time in the system text (\`toolfold audit\` says where); more than five minutes pass between requests; the endpoint does not report what it reads.`;
}
