/** Writes the JSON Schema of the configuration for editors: `npm run schema`. A test compares the two. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileSchema } from '../packages/config/src/settings/read-settings.ts';
import { root } from './tree.ts';

writeFileSync(
  join(root, 'packages/toolfold/toolfold.schema.json'),
  `${JSON.stringify(fileSchema(), null, 2)}\n`,
);
