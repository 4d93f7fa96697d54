import { AVI_RECIPES } from './avi-recipes.ts'
import { FLASH_RECIPES } from './flash-recipes.ts'
import { ISO_RECIPES } from './iso-recipes.ts'
import { MATROSKA_RECIPES } from './matroska-recipes.ts'
import { MPEG_RECIPES } from './mpeg-recipes.ts'
import { OTHER_RECIPES } from './other-recipes.ts'
import { RARER_RECIPES } from './rarer-recipes.ts'
import type { Recipe } from './recipe.ts'
import type { ClipSpec } from './spec.ts'
import { WINDOWS_RECIPES } from './windows-recipes.ts'

/** Recordings for tests, fixtures and bench, by name. */
export const RECIPES: Readonly<Record<string, Recipe>> = {
  ...ISO_RECIPES,
  ...RARER_RECIPES,
  ...OTHER_RECIPES,
  ...MPEG_RECIPES,
  ...FLASH_RECIPES,
  ...WINDOWS_RECIPES,
  ...MATROSKA_RECIPES,
  ...AVI_RECIPES,
}

export interface Shape {
  readonly seconds: number
  readonly width: number
  readonly height: number
  readonly seed: number
}

/** Which part a recording plays: the one to be damaged, or a sample that is calmer, alike, or of larger pictures. */
export type Role = 'victim' | 'calm-sample' | 'like-sample' | 'larger-sample'

/** Times by which pictures of the larger sample are wider and higher. */
const LARGER = 2

const CONTENT = {
  victim: { video: 'scenes', audio: 'noise' },
  'calm-sample': { video: 'calm', audio: 'tone' },
  'like-sample': { video: 'busy', audio: 'noise' },
  'larger-sample': { video: 'calm', audio: 'tone' },
} as const

/** The clip of a recipe of the catalogue. @throws Error for an unknown name */
export function clipOf(name: string, role: Role, shape: Shape): ClipSpec {
  const recipe = RECIPES[name]
  if (!recipe) throw new Error(`there is no recipe ${name}`)
  return clipFrom(recipe, role, shape)
}

/**
 * The clip of a recipe. Victim and sample of one seed share nothing but their settings; a recipe with a size of its own has no
 * other.
 */
export function clipFrom(recipe: Recipe, role: Role, shape: Shape): ClipSpec {
  const content = CONTENT[role]
  const { video, audio, muxer, timecode, size } = recipe
  const times = role === 'larger-sample' ? LARGER : 1
  return {
    container: recipe.container,
    seconds: shape.seconds,
    width: size?.width ?? shape.width * times,
    height: size?.height ?? shape.height * times,
    rate: recipe.rate ?? '30',
    seed: shape.seed * 3 + Object.keys(CONTENT).indexOf(role),
    ...(muxer ? { muxer } : {}),
    ...(timecode ? { timecode } : {}),
    ...(video ? { video: { ...video, content: content.video } } : {}),
    ...(audio ? { audio: audio.map((track) => ({ ...track, content: content.audio })) } : {}),
  }
}
