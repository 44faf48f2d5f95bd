import type { ChatCommand } from './command.ts';

/** `/login`: also for a server whose login was refused before. */
export const logIn: ChatCommand = {
  name: 'login',
  hint: '[server]',
  summary: 'log in to a server that needs it',
  values: ({ pool }) => pool.servers.filter(isWaiting).map(({ name }) => name),
  async run({ host, show, pick, canPick, signal }, given) {
    const { pool, logins } = host;
    const names = pool.servers.filter(isWaiting).map(({ name }) => name);
    if (given === '' && names.length === 0) return show(['No server needs a login.']);
    const name =
      given ||
      (await pick(
        'Log in to',
        names.map((value) => ({ value, label: value })),
      ));
    if (logins && name !== undefined) return logins.logIn(name, signal);
    if (!canPick || !logins) show(names.map((name) => `In a terminal: toolfold login ${name}`));
  },
};

const isWaiting = ({ state }: { readonly state: string }) => state === 'needs-auth';
