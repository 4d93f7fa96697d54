/** One parser under test. An input is a number: it always means the same bytes. */
export interface Target {
  readonly name: string
  /** Inputs a round; 1 when absent. */
  readonly weight?: number
  /** Makes the input of a number and feeds it to the parser; returns its size in bytes. Throws what must not be thrown. */
  run(seed: number): Promise<number>
}
