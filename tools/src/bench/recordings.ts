import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { basename, extname, join } from 'node:path'
import { clipFrom, RECIPES, type Role } from '../media/catalogue.ts'
import { makeClip } from '../media/make-clip.ts'
import type { Recipe } from '../media/recipe.ts'
import { containerOf } from './containers.ts'
import { firstPart } from './damages.ts'
import type { Media } from './media.ts'
import { type Original, readOriginal } from './score.ts'
import { mendframe, type Tool } from './tools.ts'

/** A recording made ready: victim, sample, a second recording, and what the victim decodes to. */
export interface Recording {
  /** As tables call it. */
  readonly name: string
  /** What the names of its files begin with. */
  readonly stem: string
  /** As the library that writes it calls it. */
  readonly container: string
  readonly extension: string
  readonly original: Original
  readonly bytes: Buffer
  /** Empty where there is none. */
  readonly other: Buffer
  readonly sample: string | undefined
}

/** How recordings of the catalogue are made. */
export interface Shape {
  readonly folder: string
  readonly seconds: number
  readonly width: number
  readonly height: number
  readonly seed: number
  readonly sample: Role | 'none'
  /** Tracks of sound that the sample has instead of the victim's: its first ones, again from the first on where it has fewer. */
  readonly sampleSounds?: number | undefined
  /** What they are read by; processes of their own by default. */
  readonly media?: Media | undefined
}

/** Makes a recording of the catalogue. `needsOther`: with a second one of the same settings. @throws Error for an unknown name */
export function makeRecording(name: string, shape: Shape, needsOther: boolean): Promise<Recording> {
  const recipe = RECIPES[name]
  if (!recipe) throw new Error(`there is no clip ${name}`)
  return recordingFrom(name, name, recipe, shape, needsOther)
}

/** Makes a recording of any recipe; the names of its files begin with `stem`. */
export async function recordingFrom(
  name: string,
  stem: string,
  recipe: Recipe,
  shape: Shape,
  needsOther: boolean,
): Promise<Recording> {
  await mkdir(shape.folder, { recursive: true })
  const { seconds, width, height, seed } = shape
  const make = async (role: Role, seedOf: number, of = recipe): Promise<string> => {
    const path = join(
      shape.folder,
      `${stem}-${role}-${width}x${height}-${seconds}s-${seedOf}.${recipe.extension}`,
    )
    await makeClip(clipFrom(of, role, { seconds, width, height, seed: seedOf }), path)
    return path
  }
  const victim = await make('victim', seed)
  const like = withSounds(recipe, shape.sampleSounds)
  const sample = shape.sample === 'none' ? undefined : await make(shape.sample, seed, like)
  return {
    name,
    stem,
    container: recipe.container,
    extension: recipe.extension,
    original: await readOriginal(victim, shape.media),
    bytes: await readFile(victim),
    other: needsOther ? await readFile(await make('victim', seed + 100)) : Buffer.alloc(0),
    sample,
  }
}

function withSounds(recipe: Recipe, count: number | undefined): Recipe {
  const { audio = [] } = recipe
  if (count === undefined || audio.length === 0) return recipe
  return { ...recipe, audio: Array.from({ length: count }, (_, track) => audio[track % audio.length]) }
}

/**
 * Makes a file at hand ready. `sample` is another file, `none`, or `head`: the file's own first part, written whole by the
 * engine.
 */
export async function openRecording(
  path: string,
  folder: string,
  sample: string,
  { media, engine = mendframe }: { readonly media?: Media | undefined; readonly engine?: Tool } = {},
): Promise<Recording> {
  await mkdir(folder, { recursive: true })
  const bytes = await readFile(path)
  const extension = extname(path).slice(1).toLowerCase()
  const name = basename(path, extname(path)).replace(/\W+/g, '-')
  return {
    name,
    stem: name,
    container: containerOf(path),
    extension,
    original: await readOriginal(path, media),
    bytes,
    other: Buffer.alloc(0),
    sample:
      sample === 'none' ? undefined : sample === 'head' ? await headOf(path, bytes, folder, engine) : sample,
  }
}

async function headOf(path: string, bytes: Buffer, folder: string, engine: Tool): Promise<string> {
  const name = basename(path).replace(/[^\w.]+/g, '-')
  const short = join(folder, `short-${name}`)
  const head = join(folder, `head-${name}`)
  await writeFile(short, firstPart(bytes))
  const { status, stderr } = await engine.repair(short, undefined, head)
  if (status !== 0 && status !== 3) throw new Error(`no sample could be made of its head: ${stderr}`)
  return head
}
