export function inner(): string {
  return 'inner';
}
