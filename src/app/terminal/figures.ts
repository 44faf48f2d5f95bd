export { formatCount, formatNumber } from '../../tools/values/index.ts';

/** A share in percent. Below 10 % it has one decimal. */
export function share(value: number): string {
  return `${(value * 100).toFixed(value < 0.1 ? 1 : 0)} %`;
}

/** An amount in the unit of the prices. Small amounts keep three significant digits. */
export function money(amount: number): string {
  return amount.toLocaleString('en-US', {
    maximumFractionDigits: 2,
    maximumSignificantDigits: 3,
    roundingPriority: 'morePrecision',
  });
}
