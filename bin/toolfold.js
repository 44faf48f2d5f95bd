#!/usr/bin/env node
// Plain JavaScript that old versions of Node can parse: they must get to the message below.
import { existsSync } from 'node:fs';

var version = process.versions.node.split('.').map(Number);
if (version[0] < 22 || (version[0] === 22 && version[1] < 18)) {
  process.stderr.write(
    'toolfold needs Node 22.18 or newer, this is ' +
      process.versions.node +
      '. In a project run "npm install node@24" and then "npx toolfold". In a checkout run "npm ci" and then "npx toolfold".\n',
  );
  process.exit(1);
}

// A checkout runs its sources; the published package has only what was built from them.
var source = new URL('../src/cli/main.ts', import.meta.url);
var built = new URL('../dist/cli/main.js', import.meta.url);
import((existsSync(source) ? source : built).href).then((cli) => cli.main(process.argv.slice(2)));
