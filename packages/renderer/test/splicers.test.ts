import { describe, expect, it } from 'vitest'
import { avcSplicer } from '../src/tasks/enhance/avc.ts'
import { hevcSplicer } from '../src/tasks/enhance/hevc.ts'
import { readPicture, readSequence, readSlice } from '../src/tasks/enhance/hevc-headers.ts'
import { BitReader, escapeUnit, lengthPrefixed, unescapeUnit } from '../src/tasks/enhance/nal.ts'

/** Writes bits, most significant first. */
class Writer {
  readonly all: number[] = []

  get length(): number {
    return this.all.length
  }

  bits(value: number, count: number): this {
    for (let i = count - 1; i >= 0; i--) this.all.push(Math.floor(value / 2 ** i) & 1)
    return this
  }

  /** ue(v) */
  ue(...values: readonly number[]): this {
    for (const value of values) this.bits(value + 1, 2 * Math.floor(Math.log2(value + 1)) + 1)
    return this
  }

  /** se(v) */
  se(...values: readonly number[]): this {
    return this.ue(...values.map((value) => (value > 0 ? 2 * value - 1 : -2 * value)))
  }

  get bytes(): Buffer {
    const bytes = Buffer.alloc(Math.ceil(this.length / 8) + 4)
    for (const [at, bit] of this.all.entries())
      bytes[at >> 3] = (bytes[at >> 3] ?? 0) | (bit << (7 - (at & 7)))
    return bytes
  }
}

/** One of numbers below a bound, by lot: the same ones for a seed. */
function lot(seed: number) {
  let state = seed
  const below = (limit: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * limit)
  }
  return { below, bit: () => below(2) }
}
type Lot = ReturnType<typeof lot>

function referenceSet(w: Writer, index: number, { below, bit }: Lot): void {
  if (index > 0) w.bits(0, 1)
  const [before, behind] = [below(3), below(3)]
  w.ue(before, behind)
  for (let i = 0; i < before + behind; i++) w.ue(below(9)).bits(bit(), 1)
}

/** A sequence's set by lot, as the reader is to find it; `odd`: with the tool of that number, which no reader takes. */
function sequence(by: Lot, odd = -1, name = by.below(5)) {
  const { below, bit } = by
  const w = new Writer()
    .bits((33 << 9) | 1, 16)
    .bits(0, 4)
    .bits(Number(odd === 0), 3)
    .bits(1, 1)
    .bits(below(1 << 30), 96)
  const start = w.length
  w.ue(name)
  const id = [start, w.length]
  const chroma = below(4)
  w.ue(chroma)
  const separatePlanes = chroma === 3 && bit() === 1
  if (chroma === 3) w.bits(Number(separatePlanes), 1)
  w.ue(below(999), below(999))
  const window = bit()
  w.bits(window, 1)
  if (window) w.ue(...Array.from({ length: 4 }, () => below(9)))
  const order = below(9)
  w.ue(below(3), below(3), order).bits(bit(), 1)
  w.ue(...Array.from({ length: 9 }, () => below(9)))
  w.bits(Number(odd === 1), 1).bits(bit(), 1)
  const offsets = bit()
  w.bits(offsets, 1).bits(Number(odd === 2), 1)
  const referenceSets = below(4)
  w.ue(referenceSets)
  for (let i = 0; i < referenceSets; i++) referenceSet(w, i, by)
  const motion = bit()
  w.bits(Number(odd === 3), 1)
    .bits(motion, 1)
    .bits(1, 1)
  const told = { id, separatePlanes, monochrome: chroma === 0, orderBits: order + 4, referenceSets }
  return { bytes: w.bytes, told: { ...told, offsets: offsets === 1, motionPrediction: motion === 1 } }
}

/** The same of a picture's set. */
function picture({ below, bit }: Lot, odd = -1) {
  const w = new Writer()
    .bits((34 << 9) | 1, 16)
    .ue(below(5), below(5))
    .bits(Number(odd === 0), 1)
  const [output, extraBits, context] = [bit(), below(4), bit()]
  w.bits(output, 1).bits(extraBits, 3).bits(bit(), 1).bits(context, 1)
  const references = [1 + below(4), 1 + below(4)] as const
  w.ue(references[0] - 1, references[1] - 1)
    .se(below(9) - 4)
    .bits(below(4), 2)
  const delta = bit()
  w.bits(delta, 1)
  if (delta) w.ue(below(4))
  const chromaOffsets = bit()
  w.se(below(9) - 4, below(9) - 4)
    .bits(chromaOffsets, 1)
    .bits(odd === 1 ? 1 + below(3) : 0, 2)
    .bits(bit(), 1)
  const across = bit()
  w.bits(odd === 2 ? 1 + below(3) : 0, 2).bits(across, 1)
  const control = bit()
  const [override, off] = control ? [bit(), bit()] : [0, 0]
  w.bits(control, 1)
  if (control) w.bits(override, 1).bits(off, 1)
  if (control && !off) w.se(below(9) - 4, below(9) - 4)
  w.bits(Number(odd === 3), 1)
    .bits(Number(odd === 4), 1)
    .ue(below(3))
    .bits(Number(odd === 5), 1)
    .bits(1, 1)
  const told = { outputFlag: output === 1, extraBits, contextFlag: context === 1, references }
  const filters = { deblockingOverride: override === 1, deblockingOff: off === 1, acrossSlices: across === 1 }
  return { bytes: w.bytes, told: { ...told, ...filters, chromaOffsets: chromaOffsets === 1 } }
}

type Syntax = Parameters<typeof readSlice>[1]

/** A slice's header by lot under those sets: its bytes, where its identifier lies and where it ends. */
function slice(by: Lot, { sequence, picture }: Syntax) {
  const { below, bit } = by
  const type = [1, 16, 19, 20, 21, 23][below(6)] ?? 1
  const w = new Writer()
    .bits(type << 1, 8)
    .bits(1, 8)
    .bits(1, 1)
  if (type >= 16) w.bits(bit(), 1)
  const start = w.length
  w.ue(below(5))
  const id = [start, w.length]
  const instant = type === 19 || type === 20
  const kind = instant ? 2 : below(3)
  w.bits(below(1 << picture.extraBits), picture.extraBits).ue(kind)
  if (picture.outputFlag) w.bits(bit(), 1)
  if (sequence.separatePlanes) w.bits(below(3), 2)
  let motion = 0
  if (!instant) {
    w.bits(below(16), sequence.orderBits)
    const isKnown = sequence.referenceSets > 0 && bit()
    w.bits(Number(isKnown), 1)
    if (!isKnown) referenceSet(w, sequence.referenceSets, by)
    else if (sequence.referenceSets > 1) w.bits(0, sequence.referenceSets > 2 ? 2 : 1)
    if (sequence.motionPrediction) {
      motion = bit()
      w.bits(motion, 1)
    }
  }
  const luma = sequence.offsets ? bit() : 0
  if (sequence.offsets) w.bits(luma, 1)
  const chroma = sequence.offsets && !sequence.monochrome && !sequence.separatePlanes ? bit() : undefined
  if (chroma !== undefined) w.bits(chroma, 1)
  if (kind < 2) {
    let [first, second] = picture.references
    const other = bit()
    w.bits(other, 1)
    if (other) first = 1 + below(4)
    if (other) w.ue(first - 1)
    if (other && kind === 0) second = 1 + below(4)
    if (other && kind === 0) w.ue(second - 1)
    if (kind === 0) w.bits(bit(), 1)
    if (picture.contextFlag) w.bits(bit(), 1)
    const fromFirst = kind === 1 || bit() === 1
    if (motion && kind === 0) w.bits(Number(fromFirst), 1)
    if (motion && (fromFirst ? first : second) > 1) w.ue(0)
    w.ue(below(5))
  }
  w.se(below(20) - 10)
  if (picture.chromaOffsets) w.se(below(9) - 4, below(9) - 4)
  let off = picture.deblockingOff
  const isOverridden = picture.deblockingOverride && bit()
  if (picture.deblockingOverride) w.bits(Number(isOverridden), 1)
  if (isOverridden) off = bit() === 1
  if (isOverridden) w.bits(Number(off), 1)
  if (isOverridden && !off) w.se(below(9) - 4, below(9) - 4)
  if (picture.acrossSlices && (luma || chroma || !off)) w.bits(bit(), 1)
  const end = w.length
  w.bits(1, 1)
  while (w.length % 8) w.bits(0, 1)
  return { bytes: w.bytes, id, end }
}

describe('headers of our own encoder', () => {
  it('are read to their last bit, whatever they say', () => {
    for (let seed = 1; seed <= 400; seed++) {
      const by = lot(seed)
      const [one, other] = [sequence(by), picture(by)]
      const syntax = { sequence: readSequence(one.bytes), picture: readPicture(other.bytes) }
      expect(syntax, `seed ${seed}`).toEqual({ sequence: one.told, picture: other.told })
      const { bytes, id, end } = slice(by, syntax)
      expect(readSlice(bytes, syntax), `seed ${seed}`).toEqual({ id, end })
    }
  })

  it.each([
    ...['sub-layers', 'scaling lists', 'plain samples', 'long-term references'].map(
      (what, odd) => [what, () => readSequence(sequence(lot(odd + 1), odd).bytes)] as const,
    ),
    ...[
      ...['dependent slices', 'weighted prediction', 'tiles or rows in parallel', 'scaling lists'],
      ...['reordered references', 'longer slice headers'],
    ].map((what, odd) => [what, () => readPicture(picture(lot(odd + 1), odd).bytes)] as const),
  ])('are refused where they use %s', (what, read) => {
    expect(read).toThrow(`the encoder of HEVC uses ${what}`)
  })

  it('are refused where a slice is one of several, or its header ends otherwise', () => {
    const by = lot(7)
    const syntax = { sequence: readSequence(sequence(by).bytes), picture: readPicture(picture(by).bytes) }
    const { bytes, end } = slice(by, syntax)
    const flipped = (at: number): Buffer => {
      const copy = Buffer.from(bytes)
      copy[at >> 3] = (copy[at >> 3] ?? 0) ^ (128 >> (at & 7))
      return copy
    }
    expect(() => readSlice(flipped(16), syntax)).toThrow('several slices')
    expect(() => readSlice(flipped(end), syntax)).toThrow('a header of another end')
  })
})

/** Units behind start codes. */
const coded = (...units: readonly Buffer[]): Buffer =>
  Buffer.concat(units.flatMap((unit) => [Buffer.from([0, 0, 1]), unit]))
/** Lists of units, each behind its length of two bytes; `heads` in front of each list. */
const lists = (heads: readonly number[][], units: readonly (readonly Buffer[])[]): Buffer =>
  Buffer.concat(
    units.flatMap((list, i) => [
      Buffer.from(heads[i] ?? []),
      ...list.flatMap((unit) => [Buffer.from([unit.length >> 8, unit.length & 255]), unit]),
    ]),
  )
/** A set as a unit, without the zeros that its writer leaves behind it. */
const unitOf = (payload: Buffer): Buffer => {
  let end = payload.length
  while (payload[end - 1] === 0) end--
  return escapeUnit(payload.subarray(0, end))
}

describe('a stretch of HEVC between samples', () => {
  const videoSet = (id: number) => Buffer.from([64, 1, (id << 4) | 3, 9])
  const FIXED = Buffer.from([1, ...Array(20).fill(7), 0xff])
  const hvcC = (...units: readonly Buffer[][]) =>
    Buffer.concat([
      FIXED,
      Buffer.from([units.length]),
      lists(
        units.map((list, i) => [0xa0 + i, 0, list.length]),
        units,
      ),
    ])

  it('has parameter sets of a number that the track does not use, and slices that name them', () => {
    for (let seed = 1; seed <= 60; seed++) {
      const by = lot(seed)
      const own = [
        [videoSet(by.below(9))],
        [unitOf(sequence(by, -1, by.below(9)).bytes)],
        [unitOf(picture(by).bytes)],
      ]
      const [one, other] = [sequence(by), picture(by)]
      const encoded = coded(videoSet(0), unitOf(one.bytes), unitOf(other.bytes), Buffer.from([78, 1, 5]))
      const splicer = hevcSplicer(hvcC(...own))
      const extended = splicer.extend?.(encoded) ?? Buffer.alloc(0)
      const written = own.map((_, i) => {
        const at = extended.indexOf(own[i]?.[0] ?? '') + (own[i]?.[0]?.length ?? 0)
        return extended.subarray(at + 2, at + 2 + extended.readUInt16BE(at))
      })
      expect(extended, `seed ${seed}`).toEqual(
        hvcC(...own.map((list, i) => [...list, written[i] ?? Buffer.alloc(0)])),
      )
      const [video, sequenceSet, pictureSet] = written.map(unescapeUnit)
      if (!video || !sequenceSet || !pictureSet) throw new Error('no sets')
      const id = (video[2] ?? 0) >> 4
      const used = own.flat().map((unit) => {
        const [type = 0, , first = 0] = unit
        if (type === 64) return first >> 4
        return new BitReader(unescapeUnit(unit), type === 66 ? 120 : 16).unsigned()
      })
      expect(id).toBe(Math.max(...used) + 1)
      const now = readSequence(sequenceSet)
      expect({ ...now, id: 0 }).toEqual({ ...one.told, id: 0 })
      expect(new BitReader(sequenceSet, now.id[0]).unsigned()).toBe(id)
      expect([(sequenceSet[2] ?? 0) >> 4, sequenceSet.at(-1)]).toEqual([id, expect.any(Number)])
      expect(readPicture(pictureSet)).toEqual(other.told)
      const names = new BitReader(pictureSet, 16)
      expect([names.unsigned(), names.unsigned()]).toEqual([id, id])
      const syntax = { sequence: now, picture: other.told }
      const { bytes, id: name, end } = slice(by, syntax)
      const data = Buffer.from([0xaa, 0, 0, 1, 0x80])
      const whole = Buffer.concat([bytes.subarray(0, (end >> 3) + 1), data])
      const sample = splicer.sample(coded(Buffer.from([70, 1, 0x50]), escapeUnit(whole)), encoded)
      const units = lengthPrefixed(sample, 4)
      expect(units).toHaveLength(1)
      const renamed = unescapeUnit(units[0] ?? Buffer.alloc(0))
      const header = readSlice(renamed, syntax)
      expect([new BitReader(renamed, header.id[0]).unsigned(), header.end - header.id[1]]).toEqual([
        id,
        end - (name[1] ?? 0),
      ])
      expect(renamed.subarray((header.end >> 3) + 1)).toEqual(data)
    }
  })

  it('ends a sequence, and is refused without a whole configuration or a number that is left', () => {
    const sets = [[videoSet(0)], [unitOf(sequence(lot(1)).bytes)], [unitOf(picture(lot(1)).bytes)]]
    const sample = Buffer.from([0, 0, 0, 1, 9])
    expect(hevcSplicer(hvcC(...sets)).ended?.(sample)).toEqual(Buffer.from([...sample, 0, 0, 0, 2, 72, 1]))
    expect(hevcSplicer(hvcC([videoSet(14)], ...sets.slice(1))).box).toBe('hvcC')
    const full = hvcC([videoSet(14), videoSet(15)], ...sets.slice(1))
    expect(() => hevcSplicer(full)).toThrow('no identifier left')
    expect(() => hevcSplicer(hvcC(...sets.slice(0, 2)))).toThrow('not complete')
    for (const none of [FIXED, Buffer.from([2, ...hvcC(...sets).subarray(1)])])
      expect(() => hevcSplicer(none)).toThrow('no HEVC configuration')
  })
})

describe('a stretch of H.264 between samples', () => {
  const set = (id: number) =>
    Buffer.from([0x67, 66, 0, 10, ...new Writer().ue(id).bits(1, 1).bytes.subarray(0, 3)])
  const pictureSet = (id: number) =>
    Buffer.from([0x68, ...new Writer().ue(id).bits(1, 1).bytes.subarray(0, 3)])
  const avcC = (sets: readonly Buffer[], pictureSets: readonly Buffer[], width = 0xff) =>
    Buffer.concat([
      Buffer.from([1, 66, 0, 10, width]),
      lists([[0xe0 | sets.length], [pictureSets.length]], [sets, pictureSets]),
      Buffer.from([0xfc, 0xf8, 0xf8, 0]),
    ])

  it('has parameter sets of a number that the track does not use', () => {
    const own = avcC([set(0)], [pictureSet(0), pictureSet(4)], 0xfd)
    const splicer = avcSplicer(own)
    const added = [Buffer.from([0x67, 1]), Buffer.from([0x68, 2])] as const
    expect(splicer.id).toBe(5)
    expect(splicer.extend?.(coded(...added, Buffer.from([6, 5])))).toEqual(
      avcC([set(0), added[0]], [pictureSet(0), pictureSet(4), added[1]], 0xfd),
    )
    const units = [
      [9, 1],
      [0x65, 2],
      [0x41, 3],
      [6, 4],
    ].map((unit) => Buffer.from(unit))
    expect(splicer.sample(coded(...units), own)).toEqual(Buffer.from([0, 2, 0x65, 2, 0, 2, 0x41, 3]))
  })

  it('is refused without a whole configuration or a number that is left', () => {
    expect(avcSplicer(avcC([set(0)], [pictureSet(31)])).id).toBe(1)
    expect(avcSplicer(avcC([set(30)], [pictureSet(0)])).id).toBe(31)
    expect(() => avcSplicer(avcC([set(30)], [pictureSet(31)]))).toThrow('no identifier left')
    expect(() => avcSplicer(avcC(Array(31).fill(set(0)), [pictureSet(0)]))).toThrow('no identifier left')
    expect(() => avcSplicer(avcC([set(0)], [pictureSet(0)]).subarray(0, 7))).toThrow('cut off')
    for (const none of [Buffer.from([1, 66, 0, 10, 255, 224]), Buffer.from([2, 66, 0, 10, 255, 224, 0])])
      expect(() => avcSplicer(none)).toThrow('no H.264 configuration')
  })
})
