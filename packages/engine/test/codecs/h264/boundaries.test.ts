import { describe, expect, it } from 'vitest'
import { buildAvcC, parameterSetsOf, parseAvcC } from '../../../src/codecs/h264/avcc.ts'
import { h264 } from '../../../src/codecs/h264/index.ts'
import { parsePps } from '../../../src/codecs/h264/pps.ts'
import { parseSps } from '../../../src/codecs/h264/sps.ts'
import { type Recogniser, Unit } from '../../../src/codecs/recogniser.ts'
import { concat, lengthPrefixed } from '../../../testing/video/bit-writer.ts'
import {
  makePps,
  makeSlice,
  makeSps,
  type SliceFacts,
  type SpsFacts,
} from '../../../testing/video/h264-maker.ts'
import { noise, readerOf, replay } from '../../../testing/video/replay.ts'

const AUD = Uint8Array.of(9, 0xf0)
const SEI = Uint8Array.of(6, 5, 3, 1, 2, 3, 0x80)
const RECOVERY = Uint8Array.of(6, 6, 1, 0x80, 0x80)
const END = Uint8Array.of(10)
const FILLER = Uint8Array.of(12, 0xff, 0xff, 0xff, 0xff, 0x80)

function recogniser(sps: SpsFacts = {}): Recogniser {
  const sequence = parseSps(makeSps(sps))
  const picture = parsePps(makePps())
  if (!sequence || !picture) throw new Error('the hand-made parameter sets do not parse')
  const config = buildAvcC([sequence], [picture])
  const made = h264.recogniser({
    id: 1,
    kind: 'video',
    codec: 'h264',
    timescale: 1,
    config,
    framing: 'length',
  })
  if (!made) throw new Error('no recogniser')
  return made
}

function lengths(file: Uint8Array, sps: SpsFacts = {}): number[] {
  return replay(recogniser(sps), file).map(({ length }) => length)
}

function orders(slices: readonly SliceFacts[], sps: SpsFacts = {}): number[] {
  const file = concat(slices.map((slice) => lengthPrefixed(makeSlice(slice, sps))))
  return replay(recogniser(sps), file).map(({ order }) => order)
}

describe('the end of an access unit', () => {
  const idr = makeSlice({ idr: true })
  const second = makeSlice({ frameNum: 1, pocLsb: 2 })

  it('leaves delimiter, parameter sets and messages to the unit they precede', () => {
    const first = lengthPrefixed(AUD, makeSps(), makePps(), SEI, idr)
    const next = lengthPrefixed(AUD, SEI, second)
    expect(lengths(concat([first, next]))).toEqual([first.length, next.length])
  })

  it('keeps end of sequence and filler with the unit they follow', () => {
    const first = lengthPrefixed(idr, FILLER, END)
    const next = lengthPrefixed(second)
    expect(lengths(concat([first, next]))).toEqual([first.length, next.length])
  })

  it('joins slices of one picture by their rising first macroblock', () => {
    const picture = lengthPrefixed(
      idr,
      makeSlice({ idr: true, firstMb: 8 }),
      makeSlice({ idr: true, firstMb: 16 }),
    )
    expect(lengths(concat([picture, lengthPrefixed(second)]))[0]).toBe(picture.length)
  })

  it('does not join a slice of another picture', () => {
    const stray = lengthPrefixed(makeSlice({ idr: true, firstMb: 8, idrPicId: 1 }))
    expect(lengths(concat([lengthPrefixed(idr), stray]))).toEqual([idr.length + 4])
  })

  it('tells a picture from the next one that follows without any mark', () => {
    const pictures = [1, 2, 3].map((n) =>
      lengthPrefixed(makeSlice({ frameNum: n, pocLsb: n * 2, bytes: 20 + n })),
    )
    expect(lengths(concat(pictures))).toEqual(pictures.map(({ length }) => length))
  })

  it('refuses a picture whose further slice is cut off', () => {
    const whole = lengthPrefixed(idr, makeSlice({ idr: true, firstMb: 8 }))
    expect(lengths(whole.subarray(0, whole.length - 10))).toEqual([])
  })

  it('uses parameter sets inside the unit for the slices behind them, and keeps them only once accepted', () => {
    const other = { id: 1, pocType: 2, widthInMbs: 20 } as const
    const unit = new Unit()
    const made = recogniser()
    const slice = makeSlice({ idr: true, ppsId: 3, firstMb: 0 }, other)
    const later = lengthPrefixed(makeSlice({ frameNum: 1, ppsId: 3 }, other))
    const withSets = lengthPrefixed(makeSps(other), makePps(3, 1), slice)
    expect(made.recognise(readerOf(withSets), 0, withSets.length, unit)).toBe(true)
    expect(made.recognise(readerOf(later), 0, later.length, new Unit())).toBe(false)
    made.accept(readerOf(withSets), 0, unit)
    expect(made.recognise(readerOf(later), 0, later.length, new Unit())).toBe(true)
  })

  it('accepts a unit whose inside was zeroed, and the thorough look finds the zeros', () => {
    const file = lengthPrefixed(makeSlice({ idr: true, bytes: 400 }))
    const made = recogniser()
    expect(made.intact?.(readerOf(file), 0, file.length)).toBe(true)
    file.fill(0, 100, 300)
    const unit = new Unit()
    expect(made.recognise(readerOf(file), 0, file.length, unit)).toBe(true)
    expect(unit.length).toBe(file.length)
    expect(made.intact?.(readerOf(file), 0, file.length)).toBe(false)
  })

  it('keeps zeros that fill samples up where the sample file does so', () => {
    const padded = [1, 2, 3, 4, 5].map((n) => {
      const picture = lengthPrefixed(makeSlice({ idr: true, bytes: 40 + n }))
      const filled = new Uint8Array(Math.ceil(picture.length / 8) * 8)
      filled.set(picture)
      return filled
    })
    const made = recogniser()
    for (const sample of padded) made.learn?.(readerOf(sample), 0, sample.length)
    expect(replay(made, concat(padded)).map(({ length }) => length)).toEqual(
      padded.map(({ length }) => length),
    )
  })

  it('are of the sample size behind start codes where all samples have one size', () => {
    const code = Uint8Array.of(0, 0, 0, 1)
    const frame = concat([code, makeSps(), code, makePps(), code, makeSlice({ idr: true, bytes: 60 })])
    const about = { id: 1, kind: 'video', codec: 'h264', timescale: 1, config: new Uint8Array(0) } as const
    const made = h264.recogniser({ ...about, framing: 'startcode' })
    if (!made) throw new Error('no recogniser')
    const unit = new Unit()
    const file = concat([frame, noise(100)])
    for (let sample = 0; sample < 4; sample++) made.learn?.(readerOf(frame), 0, frame.length)
    expect(made.recognise(readerOf(file), 0, file.length, unit)).toBe(true)
    expect([unit.length, unit.lengthKnown]).toEqual([frame.length, true])
  })

  it('marks a unit that ends in zeros as damaged', () => {
    const file = lengthPrefixed(makeSlice({ idr: true, bytes: 400 }))
    file.fill(0, 200)
    const unit = new Unit()
    expect(recogniser().recognise(readerOf(file), 0, file.length, unit)).toBe(true)
    expect(unit.damaged).toBe(true)
  })

  it('finds a picture that is wrapped with its prefix NAL unit behind start codes', () => {
    const code = Uint8Array.of(0, 0, 0, 1)
    const wrapped = concat([Uint8Array.of(0x6e, 0xc0, 0x80, 0x0f), code, SEI, code, idr])
    const file = concat([lengthPrefixed(wrapped), noise(20)])
    expect(lengths(file)).toEqual([wrapped.length + 4])
  })
})

describe('fields', () => {
  const sps = { fields: true } as const
  const top = makeSlice({ idr: true, field: true }, sps)
  const bottom = makeSlice({ field: true, bottom: true, pocLsb: 1 }, sps)

  it('make one unit when they are the two fields of a frame', () => {
    const frame = lengthPrefixed(AUD, top, AUD, SEI, bottom)
    const next = lengthPrefixed(AUD, makeSlice({ field: true, frameNum: 1, pocLsb: 2 }, sps))
    expect(lengths(concat([frame, next]), sps)).toEqual([frame.length, next.length])
  })

  it('stay apart when parity or frame number differ', () => {
    const again = lengthPrefixed(makeSlice({ field: true, frameNum: 1, pocLsb: 2 }, sps))
    const wrongFrame = lengthPrefixed(makeSlice({ field: true, bottom: true, frameNum: 2, pocLsb: 3 }, sps))
    const file = concat([lengthPrefixed(top), again, wrongFrame])
    expect(lengths(file, sps)).toEqual([top.length + 4, again.length, wrongFrame.length])
  })

  it('are units of their own where the sample says so', () => {
    const made = recogniser(sps)
    const file = concat([lengthPrefixed(top), lengthPrefixed(bottom)])
    made.learn?.(readerOf(file), 0, top.length + 4)
    made.learn?.(readerOf(file), top.length + 4, bottom.length + 4)
    const seen = replay(made, file)
    expect(seen.map(({ length }) => length)).toEqual([top.length + 4, bottom.length + 4])
    expect(seen.map(({ order, restart }) => [order, restart])).toEqual([
      [0, true],
      [1, false],
    ])
  })
})

describe('picture order count', () => {
  it('of type 0 carries its low bits over', () => {
    const slices = Array.from({ length: 70 }, (_, n) => ({
      idr: n === 0,
      frameNum: n % 16,
      pocLsb: (n * 2) % 64,
    }))
    expect(orders(slices)).toEqual(slices.map((_, n) => n * 2))
  })

  it('of type 0 takes pictures shown before their references back', () => {
    const slices = [
      { idr: true },
      { frameNum: 1, pocLsb: 8 },
      { frameNum: 2, pocLsb: 4 },
      { frameNum: 3, pocLsb: 2, refIdc: 0, type: 1 },
      { frameNum: 3, pocLsb: 6, refIdc: 0, type: 1 },
    ]
    expect(orders(slices)).toEqual([0, 8, 4, 2, 6])
  })

  it('of type 1 follows the cycle of expected differences', () => {
    const sps = { pocType: 1, offsetsForRefFrame: [2, 4], offsetForNonRefPic: -1 } as const
    const slices = [
      { idr: true },
      { frameNum: 1 },
      { frameNum: 2 },
      { frameNum: 3, refIdc: 0 },
      { frameNum: 3 },
      { frameNum: 4 },
    ]
    // expectedPicOrderCnt sums 2, 4, 2, 4 over reference frames; a non-reference picture counts one less and its own offset
    expect(orders(slices, sps)).toEqual([0, 2, 6, 5, 8, 12])
  })

  it('of type 2 counts in decoding order', () => {
    const slices = Array.from({ length: 40 }, (_, n) => ({ idr: n === 0, frameNum: n % 16 }))
    expect(orders(slices, { pocType: 2 })).toEqual(slices.map((_, n) => n * 2))
  })

  it('starts anew at memory management operation 5', () => {
    const slices = [
      { idr: true },
      { frameNum: 1, pocLsb: 10 },
      { frameNum: 2, pocLsb: 20, mmco5: true },
      { frameNum: 1, pocLsb: 2 },
    ]
    const file = concat(slices.map((slice) => lengthPrefixed(makeSlice(slice))))
    const seen = replay(recogniser(), file)
    expect(seen.map(({ order, restart }) => [order, restart])).toEqual([
      [0, true],
      [10, false],
      [0, true],
      [2, false],
    ])
  })

  it('teaches its step', () => {
    const byOne = recogniser()
    const slices = Array.from({ length: 12 }, (_, n) => ({ idr: n === 0, frameNum: n % 16, pocLsb: n }))
    replay(byOne, concat(slices.map((slice) => lengthPrefixed(makeSlice(slice)))))
    expect(byOne.orderStep).toBe(1)
  })
})

describe('losses', () => {
  it('show in the frame numbers of references', () => {
    const slices = [
      { idr: true },
      { frameNum: 1, pocLsb: 2 },
      { frameNum: 5, pocLsb: 10 },
      { frameNum: 6, pocLsb: 12 },
    ]
    const file = concat(slices.map((slice) => lengthPrefixed(makeSlice(slice))))
    expect(replay(recogniser(), file).map(({ gap }) => gap)).toEqual([0, 0, 3, 0])
    expect(
      replay(
        recogniser({ gapsAllowed: true }),
        concat(slices.map((slice) => lengthPrefixed(makeSlice(slice, { gapsAllowed: true })))),
      ).map(({ gap }) => gap),
    ).toEqual([0, 0, 0, 0])
  })

  it('keep display order going on behind a hole, and start it anew where it went back far', () => {
    const made = recogniser()
    const first = concat(
      Array.from({ length: 60 }, (_, n) =>
        lengthPrefixed(makeSlice({ idr: n === 0, frameNum: n % 16, pocLsb: (n * 2) % 64 })),
      ),
    )
    replay(made, first)
    made.discontinuity()
    const near = lengthPrefixed(makeSlice({ frameNum: 1, pocLsb: (70 * 2) % 64 }))
    expect(replay(made, near)).toMatchObject([{ order: 140, restart: false }])
  })

  it('make the pictures before a recovery point leading ones', () => {
    const made = recogniser()
    replay(made, lengthPrefixed(makeSlice({ idr: true })))
    made.discontinuity()
    const file = concat([
      lengthPrefixed(RECOVERY, makeSlice({ frameNum: 4, pocLsb: 20, type: 2 })),
      lengthPrefixed(makeSlice({ frameNum: 5, pocLsb: 16, refIdc: 0, type: 1 })),
      lengthPrefixed(makeSlice({ frameNum: 5, pocLsb: 24 })),
    ])
    expect(replay(made, file).map(({ leading }) => leading)).toEqual([false, true, false])
  })
})

describe('configuration', () => {
  it('is built from parameter sets and read back', () => {
    const stream = concat([
      Uint8Array.of(0, 0, 0, 1),
      makeSps({ widthInMbs: 20 }),
      Uint8Array.of(0, 0, 1),
      makePps(),
    ])
    const sets = parameterSetsOf(stream)
    const config = parseAvcC(buildAvcC(sets.sps, sets.pps))
    expect(config).toMatchObject({ lengthSize: 4, sps: [{ width: 320, height: 64 }], pps: [{ id: 0 }] })
    expect(config?.sps[0]?.bytes).toEqual(makeSps({ widthInMbs: 20 }))
  })

  it('that is no avcC makes no recogniser', () => {
    const config = Uint8Array.of(9, 9, 9)
    expect(
      h264.recogniser({ id: 1, kind: 'video', codec: 'h264', timescale: 1, config, framing: 'length' }),
    ).toBeUndefined()
  })
})
