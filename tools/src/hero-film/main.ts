import { copyFileSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { decodeHashes, stillImage } from '@mendframe/renderer'
import { runRepair } from '@mendframe/runner'
import { makeClip } from '../media/make-clip.ts'
import type { ClipSpec } from '../media/spec.ts'

/*
 * `node tools/src/hero-film/main.ts`: films our own pictures, takes the film's index away, repairs it with the engine and makes
 * of both the demonstration of the start page: first the bytes of the damaged film, then the film that came back.
 */

const ROOT = join(import.meta.dirname, '../../..')
const PICTURES = join(ROOT, 'apps/web/src/features/photo-landing/pictures')
const HERO = join(ROOT, 'apps/web/src/features/repair/hero')
const WIDTH = 560
const HEIGHT = 360
const RATE = 24
/** Seconds that a picture is looked at, and that it fades into the next. */
const SHOT = 2.6
const FADE = 0.6
/** Seconds of bytes before the film wipes them away, and that the wiping takes. */
const BYTES = 0.9
const WIPE = 1.3
/** The demonstration may weigh so much. */
const MOST_BYTES = 1_000_000

/** A slow move over a picture. */
function shot(name: string, index: number, label: string): string {
  const frames = SHOT * RATE
  const across = index % 2 === 0 ? `on/${frames}` : `1-on/${frames}`
  return [
    `movie='${join(PICTURES, `${name}.webp`)}'`,
    'loop=loop=-1:size=1',
    `setpts=N/${RATE}/TB`,
    `scale=${WIDTH * 3}:${HEIGHT * 3}:force_original_aspect_ratio=increase`,
    `crop=${WIDTH * 3}:${HEIGHT * 3}`,
    `zoompan=z='1.12+0.02*${across}':x='(iw-iw/zoom)*(${across})':y='(ih-ih/zoom)/2':d=1:s=${WIDTH}x${HEIGHT}:fps=${RATE}`,
    `trim=duration=${SHOT}`,
    `setpts=PTS-STARTPTS[${label}]`,
  ].join(',')
}

/** Pictures that fade into each other. */
function filmOf(names: readonly string[]): string {
  const shots = names.map((name, index) => shot(name, index, `s${index}`))
  const fades = names.slice(1).map((_, index) => {
    const before = index === 0 ? 's0' : `f${index}`
    const after = index === names.length - 2 ? '' : `[f${index + 1}]`
    const offset = (index + 1) * (SHOT - FADE)
    return `[${before}][s${index + 1}]xfade=duration=${FADE}:offset=${offset}${after}`
  })
  return [...shots, ...fades].join(';')
}

function clip(
  filters: string,
  seconds: number,
  options: Readonly<Record<string, string | number>>,
): ClipSpec {
  return {
    container: 'mp4',
    width: WIDTH,
    height: HEIGHT,
    rate: String(RATE),
    seed: 1,
    seconds,
    video: { codec: 'libx264', content: 'calm', filters, bFrames: 2, options },
  }
}

const lengthOf = (shots: number): number => shots * SHOT - (shots - 1) * FADE

/** The recording as a camera leaves it whose battery is pulled: without the index at its end. */
function loseIndex(from: string, to: string): void {
  const bytes = readFileSync(from)
  const index = bytes.lastIndexOf('moov') - 4
  if (index < 0) throw new Error('the film has no index to lose')
  writeFileSync(to, bytes.subarray(0, index))
}

const fingerprints = async (path: string): Promise<string> => {
  const streams = await decodeHashes(path)
  return streams.flatMap(({ frames }) => frames.map(({ md5 }) => md5)).join()
}

async function make(folder: string): Promise<void> {
  const at = (name: string): string => join(folder, name)
  const views = ['lake', 'balloons', 'canal']
  const fine = { preset: 'fast', crf: 19 }
  await makeClip(clip(filmOf(views), lengthOf(views.length), fine), at('film.mp4'))
  await makeClip(clip(filmOf(['dawn', 'arcade']), lengthOf(2), fine), at('sample.mp4'))
  loseIndex(at('film.mp4'), at('damaged.mp4'))
  const report = await runRepair({
    damaged: at('damaged.mp4'),
    sample: at('sample.mp4'),
    output: at('repaired.mp4'),
  })
  if (report.verdict !== 'repaired') throw new Error(`the film came back ${report.verdict}`)
  if ((await fingerprints(at('repaired.mp4'))) !== (await fingerprints(at('film.mp4')))) {
    throw new Error('the film came back with other pictures')
  }
  const raw = String.raw`video_size=140x90\:pixel_format=gray\:framerate=${RATE}`
  const bytes = `movie='${at('damaged.mp4')}':format_name=rawvideo:format_opts='${raw}',trim=duration=${BYTES + WIPE},scale=${WIDTH}:${HEIGHT}:flags=neighbor,eq=contrast=0.45:brightness=-0.18,format=yuv420p,fps=${RATE},settb=1/${RATE},setpts=PTS-STARTPTS[a]`
  const film = `movie='${at('repaired.mp4')}',format=yuv420p,fps=${RATE},settb=1/${RATE},setpts=PTS-STARTPTS[b]`
  const both = `${bytes};${film};[a][b]xfade=transition=wiperight:duration=${WIPE}:offset=${BYTES}`
  const demonstration = clip(both, BYTES + lengthOf(views.length), { preset: 'slow', crf: 29 })
  await makeClip({ ...demonstration, muxer: { movflags: 'faststart' } }, at('demonstration.mp4'))
  const { size } = statSync(at('demonstration.mp4'))
  if (size > MOST_BYTES) throw new Error(`the demonstration has ${size} bytes`)
  await stillImage({
    input: at('demonstration.mp4'),
    output: at('poster.jpg'),
    atSeconds: BYTES + WIPE * 0.55,
    width: WIDTH,
  })
  copyFileSync(at('demonstration.mp4'), join(HERO, 'demonstration.mp4'))
  copyFileSync(at('poster.jpg'), join(HERO, 'demonstration.jpg'))
  console.log(
    `demonstration.mp4 ${size} bytes, demonstration.jpg ${statSync(at('poster.jpg')).size} bytes; ${report.strategies.map(({ name }) => name).join(', ')}`,
  )
}

const folder = mkdtempSync(join(tmpdir(), 'mendframe-hero-film-'))
try {
  await make(folder)
} finally {
  rmSync(folder, { recursive: true, force: true })
}
