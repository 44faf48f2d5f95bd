export { didYouMean, KNOWN_TOKEN, quote, shownValue } from './quote.ts';
