import type { Limits } from '../../bytes/limits.ts'
import { codecNamed } from '../../codecs/index.ts'
import { Findings } from '../../model/finding.ts'
import type { Monitor } from '../../model/monitor.ts'
import { MOST_STEPS, tornPictures } from '../../recording/torn-pictures.ts'
import type { InputFile, ReadPictures } from '../format.ts'
import { readFile } from './read/read.ts'

/** Reads the pictures of every track whose codec can be read to its last bit, the first tracks first. */
export async function readPictures(
  { reader }: InputFile,
  limits: Limits,
  monitor: Monitor,
): Promise<readonly ReadPictures[]> {
  const { movie } = await readFile(reader, limits, new Findings(0), monitor, 'walk')
  const tracks = movie?.tracks.filter(({ description }) => description.kind === 'video') ?? []
  const found: ReadPictures[] = []
  let left = MOST_STEPS
  for (const [place, { description, samples, protection }] of tracks.entries()) {
    const pictures = protection ? undefined : codecNamed(description.codec)?.pictureReader?.(description)
    if (!pictures) continue
    const track = { samples, timescale: description.timescale, pictures, description }
    const read = await tornPictures(reader, track, left, monitor)
    left -= read.steps
    found.push({ place, pictures: read.pictures, torn: read.torn })
  }
  return found
}
