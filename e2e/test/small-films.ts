import { copyFileSync, mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { makeClip } from '../../tools/src/media/make-clip.ts'
import { loseIndex } from './films.ts'

/** Seven parts of an upload, the last one smaller. */
const LARGE_BYTES = 104 * 2 ** 20

/** Two seconds of two recordings of one camera, and what became of the first. */
export class SmallFilms {
  readonly folder: string
  readonly whole: string
  readonly sample: string
  /** Its index is gone. */
  readonly damaged: string
  /** Its index is gone, and a third of its pictures. */
  readonly torn: string
  /** Its index is gone, and noise stands where a third of its pictures were. */
  readonly overwritten: string
  /** Nothing of it is left but its first bytes. */
  readonly hopeless: string
  /** Its index is gone, and zeros behind it make it larger than Free users may take home. */
  readonly large: string

  /** Those that were made in the folder. */
  constructor(folder: string) {
    this.folder = folder
    this.whole = join(folder, 'whole.mp4')
    this.sample = join(folder, 'sample.mp4')
    this.damaged = join(folder, 'birthday.mp4')
    this.torn = join(folder, 'half a wedding.mp4')
    this.overwritten = join(folder, 'first steps.mp4')
    this.large = join(folder, 'graduation.mp4')
    this.hopeless = join(folder, 'a very long name of a concert that is gone.mp4')
  }

  /** Makes them in a folder of their own. The caller removes them. */
  static async make(): Promise<SmallFilms> {
    const films = new SmallFilms(mkdtempSync(join(tmpdir(), 'mendframe-small-films-')))
    await Promise.all([record(films.whole, 1), record(films.sample, 2)])
    loseIndex(films.whole, films.damaged)
    tear(films.damaged, films.torn, 1 / 3, 2 / 3)
    tear(films.damaged, films.hopeless, 0.001, 1)
    tear(films.damaged, films.overwritten, 1 / 3, 2 / 3, noise())
    copyFileSync(films.damaged, films.large)
    truncateSync(films.large, LARGE_BYTES)
    return films
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true })
  }
}

function record(path: string, seed: number): Promise<void> {
  return makeClip(
    {
      container: 'mp4',
      width: 160,
      height: 90,
      rate: '25',
      seed,
      seconds: 2,
      video: { codec: 'libx264', content: 'busy', bFrames: 0, options: { preset: 'ultrafast' } },
      audio: [{ codec: 'aac', content: 'bursts' }],
    },
    path,
  )
}

/** Overwrites a part of a film, given by shares of its length, with the bytes of `fill`. */
function tear(from: string, to: string, begin: number, end: number, fill: Iterator<number> = zeros()): void {
  const bytes = readFileSync(from)
  for (let at = Math.floor(bytes.length * begin); at < Math.floor(bytes.length * end); at++) {
    bytes[at] = fill.next().value
  }
  writeFileSync(to, bytes)
}

function* zeros(): Generator<number, never> {
  for (;;) yield 0
}

/** The same noise each time: a linear congruential generator. */
function* noise(): Generator<number, never> {
  for (let state = 1; ; state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0) yield (state >>> 16) & 0xff
}
