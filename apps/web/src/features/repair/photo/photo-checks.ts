import {
  checkEmpty,
  checkExtension,
  checkFreePhoto,
  checkSize,
  errorText,
  extensionOfName,
  freeRepairs,
} from '@mendframe/contract'
import type { AccountFacts } from '../flow/checks.ts'

/** A photo that is not taken, and why. */
export interface RefusedPhoto {
  readonly name: string
  readonly text: string
}

/** What is taken of the photos that were chosen. */
export interface PhotoChoice<F> {
  readonly taken: readonly F[]
  readonly refused: readonly RefusedPhoto[]
  /** Above what any plan takes. */
  readonly tooLarge: readonly F[]
  /** How many more there were than the plan has repairs left. */
  readonly beyondPlan: number
}

/** Repairs that the plan has left, less those under way here. */
export function repairsLeft(facts: AccountFacts, underWay: number): number {
  const total = facts.plan === 'Premium' ? facts.totalRecharges : freeRepairs('photo')
  return Math.max(0, total - (facts.usedRecharges ?? 0) - underWay)
}

/** Sorts chosen photos by what the plan allows. The service checks each of them again. */
export function sortPhotos<F extends { readonly name: string; readonly size: number }>(
  files: readonly F[],
  plan: string,
  left: number,
): PhotoChoice<F> {
  const tooLarge = files.filter(({ size }) => checkSize('photo', size))
  const refused: RefusedPhoto[] = []
  const fit: F[] = []
  for (const file of files) {
    if (tooLarge.includes(file)) continue
    const extension = extensionOfName(file.name)
    const code =
      checkExtension('photo', extension) ??
      checkEmpty(file.size) ??
      (plan === 'Premium' ? undefined : checkFreePhoto('photo', extension, file.size))
    if (code) refused.push({ name: file.name, text: errorText(code) })
    else fit.push(file)
  }
  return { taken: fit.slice(0, left), refused, tooLarge, beyondPlan: Math.max(0, fit.length - left) }
}
