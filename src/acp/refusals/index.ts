export { failed, invalidParams, notNow, refusalOf, unknownSession } from './refusals.ts';
