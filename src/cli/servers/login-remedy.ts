/** What to do about a server that wants a login. `given`: what its connection says. */
export function loginRemedy(server: string, given = ''): string {
  if (given.includes('toolfold login')) return given;
  const shown = /^[\w.-]+$/.test(server) ? server : JSON.stringify(server);
  return `Run: toolfold login ${shown}`;
}
