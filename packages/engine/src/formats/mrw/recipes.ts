import type { Recipe } from '../../bytes/damage.ts'
import { photoDamages } from '../../photo/damages.ts'

const HEAD = 2_048

/** Damages of MRW photos, from the commonest on. */
export const RECIPES: readonly Recipe[] = photoDamages(HEAD)
