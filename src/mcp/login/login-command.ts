/** The command that logs in to a server, as a user types it. */
export function loginCommand(server: string): string {
  const name = /^\w[\w.@/-]*$/.test(server) ? server : JSON.stringify(server);
  return `toolfold login ${name}`;
}
