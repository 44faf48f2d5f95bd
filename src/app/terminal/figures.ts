export { formatCount, formatNumber } from '../../tools/values/index.ts';

/** A share in percent. Below 10 % it has one decimal. */
export function share(value: number): string {
  return `${(value * 100).toFixed(value < 0.1 ? 1 : 0)} %`;
}

/** An amount, with its currency if that is known. Small amounts keep three significant digits. */
export function money(amount: number, currency?: string): string {
  if (currency !== undefined) {
    const digits =
      amount === 0 || amount >= 1
        ? {}
        : { minimumSignificantDigits: 2, maximumSignificantDigits: 3 };
    return amount.toLocaleString('en-US', { style: 'currency', currency, ...digits });
  }
  return amount.toLocaleString('en-US', {
    maximumFractionDigits: 2,
    maximumSignificantDigits: 3,
    roundingPriority: 'morePrecision',
  });
}
