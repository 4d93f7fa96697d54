import { closeSync, ftruncateSync, openSync, readSync, statSync, writeSync } from 'node:fs'

/** What becomes of a large file. */
interface Damage {
  readonly name: string
  /** Whether a repair is given a sample. */
  readonly sampled: boolean
  readonly apply: (path: string) => void
}

/** A kind of large file that is measured: the clip that it repeats, its container, and its damage. */
export interface LargeFile {
  readonly clip: string
  readonly extension: string
  readonly container: string
  readonly damage: Damage
}

const HOLES: Damage = { name: 'three holes', sampled: false, apply: zeroBlocks }

const AVI = { extension: 'avi', container: 'avi', damage: indexLost(zeroAviIndexes) }

/** By name. Those of AVI differ in how large their pictures are: some kB in a film, 144 kB and more as cameras write them. */
export const LARGE_FILES: Readonly<Record<string, LargeFile>> = {
  mp4: { clip: 'h264-adaptive-b-aac', extension: 'mp4', container: 'mp4', damage: indexLost(cutMovieBox) },
  avi: { clip: 'avi-mpeg4-mp3', ...AVI },
  'avi-mjpeg': { clip: 'avi-mjpeg-pcm', ...AVI },
  'avi-dv': { clip: 'avi-dv-pcm', ...AVI },
  // the packets of what other containers hold, since not every one tells all times of its own
  mkv: { clip: 'flv-h264-aac', extension: 'mkv', container: 'matroska', damage: HOLES },
  flv: { clip: 'flv-h264-aac', extension: 'flv', container: 'flv', damage: HOLES },
  ts: { clip: 'ts-h264-aac', extension: 'ts', container: 'mpegts', damage: HOLES },
  mpg: { clip: 'mpg-mpeg2-mp2', extension: 'mpg', container: 'mpeg', damage: HOLES },
  asf: { clip: 'avi-msmpeg4-adpcm', extension: 'asf', container: 'asf', damage: HOLES },
}

function indexLost(apply: Damage['apply']): Damage {
  return { name: 'index lost', sampled: true, apply }
}

/** Reads headers of an open file, and writes over it. */
class Patched {
  readonly #file: number
  readonly #header = Buffer.alloc(16)

  constructor(file: number) {
    this.#file = file
  }

  /** Sixteen bytes, valid until the next call; undefined at the end of the file. */
  header(at: number): Buffer | undefined {
    return readSync(this.#file, this.#header, 0, 16, at) < 16 ? undefined : this.#header
  }

  zero(at: number, length: number): void {
    writeSync(this.#file, Buffer.alloc(length), 0, length, at)
  }

  truncate(length: number): void {
    ftruncateSync(this.#file, length)
  }
}

function patch(path: string, work: (file: Patched) => void): void {
  const file = openSync(path, 'r+')
  try {
    work(new Patched(file))
  } finally {
    closeSync(file)
  }
}

const HOLE = 4096
/** Where holes begin, as shares of the file. */
const HOLES_AT = [0.2, 0.5, 0.8]

/** Zeroes a block at each of three places. */
function zeroBlocks(path: string): void {
  const { size } = statSync(path)
  patch(path, (file) => {
    for (const share of HOLES_AT) file.zero(Math.floor(size * share), HOLE)
  })
}

/** Cuts the index off the end of a plain ISO media file. */
function cutMovieBox(path: string): void {
  patch(path, (file) => {
    for (let at = 0; ; ) {
      const header = file.header(at)
      if (!header) throw new Error('the large file has no index')
      if (header.toString('latin1', 4, 8) === 'moov') return file.truncate(at)
      const short = header.readUInt32BE(0)
      at += short === 1 ? Number(header.readBigUInt64BE(8)) : short
    }
  })
}

const LIST_HEADER = 12
const CHUNK_HEADER = 8
/** The old index, those of OpenDML that stand among the data, and what names these in a stream's header. */
const INDEX = /^(idx1|ix\d\d|indx)$/

/** Zeroes the bodies of all indexes of an AVI file, whatever number of `RIFF` it has. */
function zeroAviIndexes(path: string): void {
  patch(path, (file) => {
    let zeroed = 0
    for (let at = 0, header = file.header(0); header; header = file.header(at)) {
      const id = header.toString('latin1', 0, 4)
      const size = header.readUInt32LE(4)
      if (id === 'RIFF' || id === 'LIST') {
        at += LIST_HEADER
        continue
      }
      if (INDEX.test(id)) {
        file.zero(at + CHUNK_HEADER, size)
        zeroed++
      }
      at += CHUNK_HEADER + size + (size & 1)
    }
    if (zeroed === 0) throw new Error('the large file has no index')
  })
}
