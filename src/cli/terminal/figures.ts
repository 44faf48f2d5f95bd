export { figure, quantity } from '../../tools/values/index.ts';

/** A share in percent, with a decimal where a whole number would say too little. */
export function share(value: number): string {
  return `${(value * 100).toFixed(value < 0.1 ? 1 : 0)} %`;
}

/** Money in whatever unit prices are given; of small amounts three digits that say something. */
export function money(amount: number): string {
  return amount.toLocaleString('en-US', {
    maximumFractionDigits: 2,
    maximumSignificantDigits: 3,
    roundingPriority: 'morePrecision',
  });
}
