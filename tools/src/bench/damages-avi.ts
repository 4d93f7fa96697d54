import { DamageRecorder, type Damages } from './damage.ts'

const isAvi = (container: string): boolean => container === 'avi'
const BLOCK = 4096

/** The four characters `movi` of the first data list, and where the old index behind it begins. */
function parts(bytes: Buffer): { movi: number; index: number } {
  const movi = bytes.indexOf('movi')
  const end = movi + bytes.readUInt32LE(movi - 4)
  const index = bytes.indexOf('idx1', end)
  return { movi, index: index < 0 ? bytes.length : index }
}

function at(bytes: Buffer, share: number): number {
  const { movi, index } = parts(bytes)
  return Math.floor(movi + (index - movi) * share)
}

function withoutIndex(bytes: Buffer, seed: number): DamageRecorder {
  return new DamageRecorder(bytes, seed).zero(parts(bytes).index, bytes.length)
}

/** Offsets of the headers of data chunks. */
function headers(bytes: Buffer): number[] {
  const { movi, index } = parts(bytes)
  const found: number[] = []
  for (let at = movi + 4; at + 8 < index; ) {
    found.push(at)
    const size = bytes.readUInt32LE(at + 4)
    at += 8 + size + (size & 1)
  }
  return found
}

function number(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(value)
  return bytes
}

/** Damages of AVI files. */
export const AVI_DAMAGES: Damages = {
  'avi-unfinished': {
    about: 'never closed: no index, sizes and counts are zero',
    applies: isAvi,
    apply: (bytes, seed) => {
      const { movi, index } = parts(bytes)
      const recorder = new DamageRecorder(bytes, seed).put(4, number(0)).put(movi - 4, number(0))
      recorder.put(bytes.indexOf('avih') + 8 + 16, number(0))
      for (let strh = bytes.indexOf('strh'); strh >= 0 && strh < movi; strh = bytes.indexOf('strh', strh + 4))
        recorder.put(strh + 8 + 32, number(0))
      return recorder.remove(index, bytes.length).finish()
    },
  },
  'avi-index-zero': {
    about: 'index zeroed',
    applies: isAvi,
    apply: (bytes, seed) => withoutIndex(bytes, seed).finish(),
  },
  'avi-index-flips': {
    about: '30 flipped bits in the index',
    applies: isAvi,
    apply: (bytes, seed) =>
      new DamageRecorder(bytes, seed).flip(30, parts(bytes).index + 8, bytes.length).finish(),
  },
  'avi-header-flips': {
    about: '12 flipped bits in chunk headers, index lost',
    applies: isAvi,
    apply: (bytes, seed) => {
      const recorder = withoutIndex(bytes, seed)
      const all = headers(bytes)
      for (let done = 0; done < 12; done++) {
        const header = all[recorder.pick(all.length)]
        recorder.flip(1, header, header + 8)
      }
      return recorder.finish()
    },
  },
  'avi-blocks': {
    about: 'three blocks of 4 KiB zeroed, index lost',
    applies: isAvi,
    apply: (bytes, seed) => {
      const recorder = withoutIndex(bytes, seed)
      for (let done = 0; done < 3; done++) {
        const from = at(bytes, 0.1 + recorder.pick(800) / 1000)
        recorder.zero(from, from + BLOCK)
      }
      return recorder.finish()
    },
  },
  'avi-noise': {
    about: '32 KiB of noise in the middle, index lost',
    applies: isAvi,
    apply: (bytes, seed) => {
      const from = at(bytes, 0.4)
      return withoutIndex(bytes, seed)
        .scramble(from, from + 8 * BLOCK)
        .finish()
    },
  },
  'avi-del': {
    about: '20 000 bytes missing, index lost',
    applies: isAvi,
    apply: (bytes, seed) => {
      const from = at(bytes, 0.5)
      return withoutIndex(bytes, seed)
        .remove(from, from + 20_000)
        .finish()
    },
  },
  'avi-insert': {
    about: '777 foreign bytes put in, index lost',
    applies: isAvi,
    apply: (bytes, seed) => withoutIndex(bytes, seed).insert(at(bytes, 0.55), 777).finish(),
  },
  'avi-head-zero': {
    about: 'everything in front of the data zeroed',
    applies: isAvi,
    apply: (bytes, seed) => new DamageRecorder(bytes, seed).zero(0, parts(bytes).movi + 4).finish(),
  },
  'avi-head-index-zero': {
    about: 'everything in front of the data and the index zeroed',
    applies: isAvi,
    apply: (bytes, seed) =>
      withoutIndex(bytes, seed)
        .zero(0, parts(bytes).movi + 4)
        .finish(),
  },
}
