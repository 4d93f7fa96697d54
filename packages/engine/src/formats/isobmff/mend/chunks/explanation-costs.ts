/** Costs of explanations, in flipped bits. */
export const COST = {
  bit: 1,
  restored: 0.75,
  back: 0.5,
  unusual: 1.5,
  unproven: 5,
  arbitrary: 2.25,
  overlap: 3,
}
