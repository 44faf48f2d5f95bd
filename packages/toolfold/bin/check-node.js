import { existsSync, realpathSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

// Plain JavaScript that old versions of Node can parse: they must get to the message below. It is run
// before the command, and before `npm start` and `npm test` in a checkout.

/** A checkout runs its sources; the published package has only what was built from them. */
export var isCheckout = existsSync(new URL('../src/cli/main.ts', import.meta.url));

// The sources use `await using`, which Node parses since version 24. The build does not.
var needed = isCheckout ? [24, 0] : [22, 19];
var current = process.versions.node;
var version = current.split('.').map(Number);
if (version[0] < needed[0] || (version[0] === needed[0] && version[1] < needed[1])) {
  process.stderr.write(
    isCheckout
      ? 'A checkout of toolfold needs Node 24 or newer, this is ' +
          current +
          '. Run "npm ci", which installs it. Then use "npm start", "npm test" and "npx --no-install toolfold".\n'
      : 'toolfold needs Node 22.19 or newer, this is ' +
          current +
          '. In your project run "npm install node@24" and then "npx --no-install toolfold".\n',
  );
  process.exit(1);
}

// The packages of a checkout find each other through links in its `node_modules`. Those of another checkout
// would run that checkout's code.
var linked = new URL('../../../node_modules/@toolfold/core', import.meta.url);
var own = fileURLToPath(new URL('../../core', import.meta.url));
if (isCheckout && existsSync(linked) && realpathSync(linked) !== realpathSync(own)) {
  process.stderr.write(
    'The node_modules of this checkout of toolfold belong to another one: ' +
      realpathSync(linked) +
      ' would run. Delete node_modules and run "npm ci" here.\n',
  );
  process.exit(1);
}
