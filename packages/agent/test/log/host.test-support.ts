/** A host of the kill matrix: `node host.test-support.ts <settings>`. It prints its report. */
import { converse } from './converse.test-support.ts';

console.log(JSON.stringify(await converse(JSON.parse(process.argv[2] ?? ''))));
