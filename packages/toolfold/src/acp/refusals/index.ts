export {
  invalidParams,
  notNow,
  refusalOf,
  STOP_REASONS,
  turnFailure,
  unknownSession,
} from './refusals.ts';
