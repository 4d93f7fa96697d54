import type { Piece } from '../reading/pieces.ts'
import type { SeamEvidence } from './seam-evidence.ts'

/** MCUs at a piece's end that may be invented, and how unlikely they must be together: a logarithm. */
const MOST_INVENTED = 160
const SURELY_INVENTED = 4

/** MCUs at a piece's end that fit what lies above them within it so badly that they were probably invented in damage. */
export function inventedAtEnd({ first, count, broken }: Piece, seams: SeamEvidence, mcuWide: number): number {
  if (!broken) return 0
  let sum = 0
  let most = SURELY_INVENTED
  let invented = 0
  for (let i = 1; i <= MOST_INVENTED && count - i >= mcuWide; i++) {
    const mcu = first + count - i
    sum -= seams.of(mcu, mcu - mcuWide, 0)
    if (sum > most) {
      most = sum
      invented = i
    }
  }
  return invented
}
