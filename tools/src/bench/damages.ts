import { DamageRecorder, type Damages } from './damage.ts'
import { ASF_DAMAGES } from './damages-asf.ts'
import { AVI_DAMAGES } from './damages-avi.ts'
import { MPEG_DAMAGES } from './damages-mpeg.ts'
import { SEEK_DAMAGES } from './damages-seek.ts'
import { type TopBox, topBoxes } from './top-boxes.ts'

const HEAD = 64 * 1024
const BLOCK = 4 * 1024
/** Share of a recording's payload that its first part keeps. */
const FIRST_PART = 0.4

const ISO = new Set(['mp4', 'mov', '3gp', '3g2', 'ipod', 'f4v'])
const isIso = (container: string): boolean => ISO.has(container)
const isFragmented = (_container: string, bytes: Buffer): boolean =>
  topBoxes(bytes).some(({ type }) => type === 'moof')
const hasFragments =
  (least: number) =>
  (_container: string, bytes: Buffer): boolean =>
    fragments(bytes).length >= least
const isPlain = (container: string, bytes: Buffer): boolean => {
  const types = topBoxes(bytes).map(({ type }) => type)
  return isIso(container) && !types.includes('moof') && types.includes('moov') && types.includes('mdat')
}
const isFront = (container: string, bytes: Buffer): boolean => {
  const boxes = topBoxes(bytes)
  return isPlain(container, bytes) && box(boxes, 'moov').start < box(boxes, 'mdat').start
}
const always = (): boolean => true

function box(boxes: readonly TopBox[], type: string): TopBox {
  const found = boxes.find((candidate) => candidate.type === type)
  if (!found) throw new Error(`the recording has no ${type}`)
  return found
}

/** Where the payload lies: the `mdat` of a plain ISO file, else the whole file behind its head. */
export function payloadOf(bytes: Buffer): { start: number; end: number } {
  const boxes = topBoxes(bytes)
  const mdat = boxes.find(({ type }) => type === 'mdat')
  if (!mdat || boxes.some(({ type }) => type === 'moof'))
    return { start: Math.floor(bytes.length * 0.05), end: bytes.length }
  return { start: mdat.body, end: mdat.end }
}

/** The file with all but the first 40% of its payload zeroed: what a sample of it is made of. */
export function firstPart(bytes: Buffer): Buffer {
  return new DamageRecorder(bytes, 0).zero(at(bytes, FIRST_PART), payloadOf(bytes).end).finish().bytes
}

/** The place at a fraction of the payload. */
function at(bytes: Buffer, fraction: number): number {
  const { start, end } = payloadOf(bytes)
  return Math.floor(start + (end - start) * fraction)
}

/** Zeroes every `moov`, where there is one. */
function zeroIndex(recorder: DamageRecorder, bytes: Buffer): DamageRecorder {
  for (const { type, start, end } of topBoxes(bytes)) if (type === 'moov') recorder.zero(start, end)
  return recorder
}

function blocks(recorder: DamageRecorder, bytes: Buffer, count: number): DamageRecorder {
  const { start, end } = payloadOf(bytes)
  for (let done = 0; done < count; done++) {
    const from = start + recorder.pick(Math.max(end - start - BLOCK, 1))
    recorder.zero(from, Math.min(from + BLOCK, end))
  }
  return recorder
}

function fragments(bytes: Buffer): TopBox[] {
  return topBoxes(bytes).filter(({ type }) => type === 'moof')
}

function nth<T>(list: readonly T[], index: number): T {
  const item = list[index]
  if (item === undefined) throw new Error('the recording is too short for this damage')
  return item
}

/** Damages of every container. */
const GENERAL: Damages = {
  healthy: {
    about: 'nothing is wrong: to be handed back as it is',
    applies: always,
    apply: (bytes, seed) => new DamageRecorder(bytes, seed).finish(),
  },
  cut70: {
    about: 'index lost and the file cut at 70%',
    applies: always,
    apply: (bytes, seed) => {
      const recorder = zeroIndex(new DamageRecorder(bytes, seed), bytes)
      return recorder.remove(Math.floor(bytes.length * 0.7), bytes.length).finish()
    },
  },
  head64k: {
    about: 'first 64 KiB zeroed and index lost',
    applies: (_container, bytes) => bytes.length > 4 * HEAD,
    apply: (bytes, seed) => zeroIndex(new DamageRecorder(bytes, seed), bytes).zero(0, HEAD).finish(),
  },
  blocks: {
    about: 'three blocks of 4 KiB zeroed and index lost',
    applies: always,
    apply: (bytes, seed) => blocks(zeroIndex(new DamageRecorder(bytes, seed), bytes), bytes, 3).finish(),
  },
  del512: {
    about: '512 bytes missing in the middle, index present',
    applies: always,
    apply: (bytes, seed) => {
      const from = at(bytes, 0.5)
      return new DamageRecorder(bytes, seed).remove(from, from + 512).finish()
    },
  },
  'zero-tail': {
    about: 'zeros from 70% on, as a preallocated recording',
    applies: always,
    apply: (bytes, seed) =>
      zeroIndex(new DamageRecorder(bytes, seed), bytes)
        .zero(Math.floor(bytes.length * 0.7), bytes.length)
        .finish(),
  },
  garbage: {
    about: '200 kB of foreign bytes after the end',
    applies: always,
    apply: (bytes, seed) => {
      const recorder = new DamageRecorder(bytes, seed)
      return recorder.append(Buffer.from(Array.from({ length: 200_000 }, () => recorder.pick(256)))).finish()
    },
  },
  flips: {
    about: '20 flipped bits in the payload, index present',
    applies: always,
    apply: (bytes, seed) => {
      const { start, end } = payloadOf(bytes)
      return new DamageRecorder(bytes, seed).flip(20, start, end).finish()
    },
  },
  insert: {
    about: '777 foreign bytes put in at 55%, index present',
    applies: always,
    apply: (bytes, seed) => new DamageRecorder(bytes, seed).insert(at(bytes, 0.55), 777).finish(),
  },
  'head-cut': {
    about: 'first 10 007 bytes cut away and index lost',
    applies: (container, bytes) => !isFragmented(container, bytes),
    apply: (bytes, seed) => zeroIndex(new DamageRecorder(bytes, seed), bytes).remove(0, 10_007).finish(),
  },
  'head-random': {
    about: 'first 64 KiB overwritten with noise and index lost',
    applies: (container, bytes) => !isFragmented(container, bytes) && bytes.length > 4 * HEAD,
    apply: (bytes, seed) => zeroIndex(new DamageRecorder(bytes, seed), bytes).scramble(0, HEAD).finish(),
  },
  foreign: {
    about: '64 KiB of noise in the middle and index lost',
    applies: (container, bytes) => !isFragmented(container, bytes) && bytes.length > 4 * HEAD,
    apply: (bytes, seed) => {
      const from = at(bytes, 0.4)
      return zeroIndex(new DamageRecorder(bytes, seed), bytes)
        .scramble(from, Math.min(from + HEAD, payloadOf(bytes).end))
        .finish()
    },
  },
  several: {
    about: 'index lost, 512 bytes missing, a block zeroed, cut at 85%',
    applies: (container, bytes) => !isFragmented(container, bytes),
    apply: (bytes, seed) => {
      const hole = at(bytes, 0.5)
      const gone = at(bytes, 0.3)
      return zeroIndex(new DamageRecorder(bytes, seed), bytes)
        .zero(hole, hole + BLOCK)
        .remove(gone, gone + 512)
        .remove(Math.floor(bytes.length * 0.85), bytes.length)
        .finish()
    },
  },
  'several-head': {
    about: 'first 64 KiB zeroed, 777 foreign bytes put in, zeros from 85% on, index lost',
    applies: (container, bytes) => !isFragmented(container, bytes) && bytes.length > 4 * HEAD,
    apply: (bytes, seed) =>
      zeroIndex(new DamageRecorder(bytes, seed), bytes)
        .zero(0, HEAD)
        .zero(Math.floor(bytes.length * 0.85), bytes.length)
        .insert(at(bytes, 0.5), 777)
        .finish(),
  },
  'several-noise': {
    about:
      'a block of 4 KiB overwritten with noise, 8 flipped bits, 300 bytes missing, cut at 80%, index lost',
    applies: (container, bytes) => !isFragmented(container, bytes),
    apply: (bytes, seed) => {
      const { start, end } = payloadOf(bytes)
      const noisy = at(bytes, 0.35)
      const gone = at(bytes, 0.6)
      return zeroIndex(new DamageRecorder(bytes, seed), bytes)
        .scramble(noisy, noisy + BLOCK)
        .flip(8, start, end)
        .remove(gone, gone + 300)
        .remove(Math.floor(bytes.length * 0.8), bytes.length)
        .finish()
    },
  },
}

/** Damages of ISO media files with an index. */
const PLAIN_ISO: Damages = {
  'index-zero': {
    about: 'index zeroed, payload whole',
    applies: isPlain,
    apply: (bytes, seed) => zeroIndex(new DamageRecorder(bytes, seed), bytes).finish(),
  },
  'index-half': {
    about: 'second half of the index gone',
    applies: isPlain,
    apply: (bytes, seed) => {
      const { start, end } = box(topBoxes(bytes), 'moov')
      const middle = Math.floor((start + end) / 2)
      const recorder = new DamageRecorder(bytes, seed)
      return (end === bytes.length ? recorder.remove(middle, end) : recorder.zero(middle, end)).finish()
    },
  },
  'index-flips': {
    about: '30 flipped bits in the index',
    applies: isPlain,
    apply: (bytes, seed) => {
      const { body, end } = box(topBoxes(bytes), 'moov')
      return new DamageRecorder(bytes, seed).flip(30, body, end).finish()
    },
  },
  'cut-indexed': {
    about: 'index in front, file cut at 60%',
    applies: isFront,
    apply: (bytes, seed) =>
      new DamageRecorder(bytes, seed).remove(Math.floor(bytes.length * 0.6), bytes.length).finish(),
  },
  'garbage-no-index': {
    about: 'index zeroed and 200 kB of foreign bytes after the end',
    applies: isPlain,
    apply: (bytes, seed) => {
      const recorder = zeroIndex(new DamageRecorder(bytes, seed), bytes)
      return recorder.append(Buffer.from(Array.from({ length: 200_000 }, () => recorder.pick(256)))).finish()
    },
  },
  'mdat-size': {
    about: 'size of the payload box halved',
    applies: isPlain,
    apply: (bytes, seed) => {
      const mdat = box(topBoxes(bytes), 'mdat')
      const size = Buffer.alloc(4)
      size.writeUInt32BE(Math.floor((mdat.end - mdat.start) / 2))
      return new DamageRecorder(bytes, seed).put(mdat.start, size).finish()
    },
  },
  together: {
    about: 'two recordings of one camera run together, indexes lost',
    needsOther: true,
    applies: isPlain,
    apply: (bytes, seed, other) => {
      const second = zeroIndex(new DamageRecorder(other, seed + 1), other).finish().bytes
      return zeroIndex(new DamageRecorder(bytes, seed), bytes).append(second).finish()
    },
  },
  'together-indexed': {
    about: 'two recordings of one camera run together, both with their index',
    needsOther: true,
    applies: isPlain,
    apply: (bytes, seed, other) => new DamageRecorder(bytes, seed).append(other).finish(),
  },
  'together-first': {
    about: 'two recordings of one camera run together, the index of the second lost',
    needsOther: true,
    applies: isPlain,
    apply: (bytes, seed, other) =>
      new DamageRecorder(bytes, seed)
        .append(zeroIndex(new DamageRecorder(other, seed + 1), other).finish().bytes)
        .finish(),
  },
  'together-second': {
    about: 'two recordings of one camera run together, the index of the first lost',
    needsOther: true,
    applies: isPlain,
    apply: (bytes, seed, other) => zeroIndex(new DamageRecorder(bytes, seed), bytes).append(other).finish(),
  },
  'head-holes-end': {
    about: 'first 20 000 bytes and the last 15% cut away, index lost, two blocks zeroed',
    applies: isPlain,
    apply: (bytes, seed) =>
      blocks(zeroIndex(new DamageRecorder(bytes, seed), bytes), bytes, 2)
        .remove(0, 20_000)
        .remove(Math.floor(bytes.length * 0.85), bytes.length)
        .finish(),
  },
  'blocks-indexed': {
    about: 'three blocks of 4 KiB of the payload overwritten with noise, index present',
    applies: isPlain,
    apply: (bytes, seed) => {
      const recorder = new DamageRecorder(bytes, seed)
      const { start, end } = payloadOf(bytes)
      for (let done = 0; done < 3; done++) {
        const from = start + recorder.pick(Math.max(end - start - BLOCK, 1))
        recorder.scramble(from, Math.min(from + BLOCK, end))
      }
      return recorder.finish()
    },
  },
}

/** Damages of fragmented ISO media files. */
const FRAGMENTED_ISO: Damages = {
  'frag-init-lost': {
    about: 'everything before the first fragment zeroed',
    applies: isFragmented,
    apply: (bytes, seed) => new DamageRecorder(bytes, seed).zero(0, nth(fragments(bytes), 0).start).finish(),
  },
  'frag-moof-zero': {
    about: 'the index of one fragment zeroed',
    applies: hasFragments(3),
    apply: (bytes, seed) => {
      const { start, end } = nth(fragments(bytes), 2)
      return new DamageRecorder(bytes, seed).zero(start, end).finish()
    },
  },
  'frag-moof-flips': {
    about: 'flipped bits in the index of two fragments',
    applies: hasFragments(4),
    apply: (bytes, seed) => {
      const recorder = new DamageRecorder(bytes, seed)
      for (const { body, end } of [nth(fragments(bytes), 1), nth(fragments(bytes), 3)])
        recorder.flip(6, body, end)
      return recorder.finish()
    },
  },
  'frag-lost': {
    about: 'a whole fragment missing',
    applies: hasFragments(4),
    apply: (bytes, seed) => {
      const all = fragments(bytes)
      return new DamageRecorder(bytes, seed).remove(nth(all, 2).start, nth(all, 3).start).finish()
    },
  },
}

/** Every damage by name. */
export const DAMAGES: Damages = {
  ...GENERAL,
  ...PLAIN_ISO,
  ...FRAGMENTED_ISO,
  ...AVI_DAMAGES,
  ...MPEG_DAMAGES,
  ...ASF_DAMAGES,
  ...SEEK_DAMAGES,
}
