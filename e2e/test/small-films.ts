import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { makeClip } from '../../tools/src/media/make-clip.ts'
import { loseIndex } from './films.ts'

/** Two seconds of two recordings of one camera, and what became of the first. */
export class SmallFilms {
  readonly folder: string
  readonly whole: string
  readonly sample: string
  /** Its index is gone. */
  readonly damaged: string
  /** Its index is gone, and a third of its pictures. */
  readonly torn: string
  /** Nothing of it is left but its first bytes. */
  readonly hopeless: string

  /** Those that were made in the folder. */
  constructor(folder: string) {
    this.folder = folder
    this.whole = join(folder, 'whole.mp4')
    this.sample = join(folder, 'sample.mp4')
    this.damaged = join(folder, 'birthday.mp4')
    this.torn = join(folder, 'half a wedding.mp4')
    this.hopeless = join(folder, 'a very long name of a concert that is gone.mp4')
  }

  /** Makes them in a folder of their own. The caller removes them. */
  static async make(): Promise<SmallFilms> {
    const films = new SmallFilms(mkdtempSync(join(tmpdir(), 'mendframe-small-films-')))
    await Promise.all([record(films.whole, 1), record(films.sample, 2)])
    loseIndex(films.whole, films.damaged)
    tear(films.damaged, films.torn, 1 / 3, 2 / 3)
    tear(films.damaged, films.hopeless, 0.001, 1)
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

function tear(from: string, to: string, begin: number, end: number): void {
  const bytes = readFileSync(from)
  bytes.fill(0, Math.floor(bytes.length * begin), Math.floor(bytes.length * end))
  writeFileSync(to, bytes)
}
