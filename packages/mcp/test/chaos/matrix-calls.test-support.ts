/** One call of the kill matrix. */
export interface MatrixCall {
  readonly id: string;
  readonly server: string;
  readonly tool: 'append' | 'look';
}

/** Ten calls: half of them change something, the others only read on a trusted server. */
export const callsOfMatrix: readonly MatrixCall[] = Array.from({ length: 10 }, (_, index) => ({
  id: `c${index}`,
  server: index % 2 === 0 ? 'writer' : 'reader',
  tool: index % 2 === 0 ? 'append' : 'look',
}));
