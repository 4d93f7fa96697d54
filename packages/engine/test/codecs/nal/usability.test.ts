import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { BitReader } from '../../../src/bytes/bit-reader.ts'
import { frameRate as rateOfAvc, parseVui as vuiOfAvc } from '../../../src/codecs/h264/vui.ts'
import { parseVps } from '../../../src/codecs/hevc/vps.ts'
import { frameRate as rateOfHevc, parseVui as vuiOfHevc } from '../../../src/codecs/hevc/vui.ts'
import { parseLook } from '../../../src/codecs/nal/look.ts'
import { BitWriter } from '../../../testing/video/bit-writer.ts'

/** ITU-T H.264 (08/2021) Table E-1. */
const RATIOS =
  '1:1 1:1 12:11 10:11 16:11 40:33 24:11 20:11 32:11 80:33 18:11 15:11 64:33 160:99 4:3 3:2 2:1'.split(' ')

const byte = fc.nat(255)
const flag = fc.boolean()
const small = fc.nat(24)
const look = fc.record({
  ratio: fc.option(byte, { nil: undefined }),
  sar: fc.tuple(fc.nat(0xffff), fc.nat(0xffff)),
  overscan: fc.option(flag, { nil: undefined }),
  signal: fc.option(fc.tuple(fc.nat(7), flag, fc.option(fc.tuple(byte, byte, byte), { nil: undefined })), {
    nil: undefined,
  }),
  chroma: fc.option(fc.tuple(fc.nat(5), fc.nat(5)), { nil: undefined }),
})
type LookFields = typeof look extends fc.Arbitrary<infer T> ? T : never

const bit = (value: boolean | undefined): number => (value ? 1 : 0)

/** The fields with which usability information begins, Annex E.1.1. */
function writeLook(bits: BitWriter, { ratio, sar, overscan, signal, chroma }: LookFields): void {
  bits.u(1, bit(ratio !== undefined))
  if (ratio !== undefined) bits.u(8, ratio)
  if (ratio === 255) bits.u(16, sar[0]).u(16, sar[1])
  bits.u(1, bit(overscan !== undefined))
  if (overscan !== undefined) bits.u(1, bit(overscan))
  bits.u(1, bit(signal !== undefined))
  if (signal) {
    const [format, full, colours] = signal
    bits
      .u(3, format)
      .u(1, bit(full))
      .u(1, bit(colours !== undefined))
    for (const colour of colours ?? []) bits.u(8, colour)
  }
  bits.u(1, bit(chroma !== undefined))
  for (const place of chroma ?? []) bits.ue(place)
}

function lookOf({ ratio, sar, signal }: LookFields) {
  const [width, height] = ratio === 255 ? sar : (RATIOS[ratio ?? 0] ?? '1:1').split(':').map(Number)
  const [colourPrimaries, transfer, matrix] = signal?.[2] ?? [2, 2, 2]
  return {
    sarWidth: width,
    sarHeight: height,
    fullRange: signal?.[1] ?? false,
    colourPrimaries,
    transfer,
    matrix,
  }
}

const timing = fc.option(fc.record({ units: fc.nat(5000), scale: fc.nat(2 ** 31), fixed: flag }), {
  nil: undefined,
})
const timed = (of: { units: number; scale: number } | undefined) =>
  of && of.units > 0 && of.scale > 0
    ? { unitsInTick: of.units, timeScale: of.scale }
    : { unitsInTick: 0, timeScale: 0 }

/** More pictures than there may be, or more out of order than are kept, are told by nobody. */
const orders = (reorderFrames?: number, maxDecFrameBuffering?: number) => {
  const [reorder, most] = [reorderFrames ?? 99, maxDecFrameBuffering ?? 99]
  const isTold = reorder <= most && most <= 16
  return isTold
    ? { reorderFrames, maxDecFrameBuffering }
    : { reorderFrames: undefined, maxDecFrameBuffering: undefined }
}

describe('usability information', () => {
  it('begins with shape and colours as the standard numbers them', () => {
    fc.assert(
      fc.property(look, (fields) => {
        const bits = new BitWriter()
        writeLook(bits, fields)
        const reader = new BitReader(bits.u(9, 0x155).bytes())
        expect(parseLook(reader)).toEqual(lookOf(fields))
        expect(reader.bits(9)).toBe(0x155)
      }),
      { numRuns: 400 },
    )
    for (const [ratio] of RATIOS.entries()) {
      const bits = new BitWriter().u(1, 1).u(8, ratio).u(4, 0)
      const { sarWidth, sarHeight } = parseLook(new BitReader(bits.bytes()))
      expect(`${sarWidth}:${sarHeight}`, `${ratio}`).toBe(RATIOS[ratio])
    }
  })

  it('of H.264 goes on with times, buffers and the order of pictures', () => {
    const buffers = fc.option(
      fc.record({ count: fc.nat(3), lengths: fc.tuple(fc.nat(31), fc.nat(31), fc.nat(31), fc.nat(31)) }),
      { nil: undefined },
    )
    const restriction = fc.option(fc.tuple(flag, small, small, small, small, small, small), {
      nil: undefined,
    })
    fc.assert(
      fc.property(
        look,
        timing,
        buffers,
        buffers,
        flag,
        restriction,
        (fields, time, nal, vcl, structure, limits) => {
          const bits = new BitWriter()
          writeLook(bits, fields)
          bits.u(1, bit(time !== undefined))
          if (time) bits.u(32, time.units).u(32, time.scale).u(1, bit(time.fixed))
          for (const hrd of [nal, vcl]) {
            bits.u(1, bit(hrd !== undefined))
            if (!hrd) continue
            bits.ue(hrd.count).u(8, 0x5a)
            for (let i = 0; i <= hrd.count; i++)
              bits
                .ue(i * 7)
                .ue(i * 9)
                .u(1, i & 1)
            for (const length of hrd.lengths) bits.u(5, length)
          }
          if (nal || vcl) bits.u(1, 1)
          bits.u(1, bit(structure)).u(1, bit(limits !== undefined))
          if (limits) {
            const [motion, ...numbers] = limits
            bits.u(1, bit(motion))
            for (const number of numbers) bits.ue(number)
          }
          const bytes = bits.trailing().bytes()
          const hrd = vcl ?? nal
          const vui = vuiOfAvc(new BitReader(bytes))
          expect(vui).toEqual({
            ...{
              ...lookOf(fields),
              ...timed(time),
              fixedFrameRate: time?.fixed ?? false,
              picStructPresent: structure,
            },
            ...orders(limits?.[5], limits?.[6]),
            cpbRemovalDelayLength: hrd ? hrd.lengths[1] + 1 : 0,
            dpbOutputDelayLength: hrd ? hrd.lengths[2] + 1 : 0,
          })
          const { unitsInTick, timeScale } = timed(time)
          expect(rateOfAvc(vui)).toEqual(timeScale > 0 ? { num: timeScale, den: unitsInTick * 2 } : undefined)
          expect(vuiOfAvc(new BitReader(bytes.subarray(0, 0)))).toBeUndefined()
        },
      ),
      { numRuns: 300 },
    )
  })

  it('of H.265 goes on with fields, windows, times and buffers of its layers', () => {
    const layer = fc.record({ general: flag, cvs: flag, delay: flag, cpbs: fc.nat(3) })
    const hrd = fc.option(
      fc.record({ nal: flag, vcl: flag, sub: flag, layers: fc.array(layer, { minLength: 3, maxLength: 3 }) }),
      { nil: undefined },
    )
    const window = fc.option(fc.tuple(small, small, small, small), { nil: undefined })
    const restriction = fc.option(fc.tuple(fc.nat(7), small, small, small, small, small), { nil: undefined })
    fc.assert(
      fc.property(
        look,
        flag,
        window,
        timing,
        hrd,
        restriction,
        (fields, field, shown, time, buffers, limits) => {
          const bits = new BitWriter()
          writeLook(bits, fields)
          bits
            .u(1, 1)
            .u(1, bit(field))
            .u(1, 0)
            .u(1, bit(shown !== undefined))
          for (const number of shown ?? []) bits.ue(number)
          bits.u(1, bit(time !== undefined))
          if (time) {
            bits.u(32, time.units).u(32, time.scale).u(1, bit(time.fixed))
            if (time.fixed) bits.ue(17)
            bits.u(1, bit(buffers !== undefined))
            if (buffers) {
              const { nal, vcl, sub, layers } = buffers
              bits.u(1, bit(nal)).u(1, bit(vcl))
              if (nal || vcl) {
                bits.u(1, bit(sub))
                if (sub) bits.u(19, 0x2aaaa)
                bits.u(8, 0x77)
                if (sub) bits.u(4, 9)
                bits.u(15, 0x1234)
              }
              for (const { general, cvs, delay, cpbs } of layers) {
                bits.u(1, bit(general))
                if (!general) bits.u(1, bit(cvs))
                const fixed = general || cvs
                if (fixed) bits.ue(3)
                else bits.u(1, bit(delay))
                const late = !fixed && delay
                if (!late) bits.ue(cpbs)
                for (const kind of [nal, vcl])
                  for (let i = 0; kind && i <= (late ? 0 : cpbs); i++) {
                    bits.ue(i).ue(i + 1)
                    if (sub) bits.ue(i + 2).ue(i + 3)
                    bits.u(1, i & 1)
                  }
              }
            }
          }
          bits.u(1, bit(limits !== undefined))
          if (limits) {
            const [flags, ...numbers] = limits
            bits.u(3, flags)
            for (const number of numbers) bits.ue(number)
          }
          const reader = new BitReader(bits.u(9, 0x155).bytes())
          const vui = vuiOfHevc(reader, 3)
          expect(vui).toEqual({ ...lookOf(fields), ...timed(time), fieldSequence: field })
          expect(reader.bits(9)).toBe(0x155)
          const { unitsInTick, timeScale } = timed(time)
          expect(rateOfHevc(vui)).toEqual(
            timeScale > 0 ? { num: timeScale, den: unitsInTick * (field ? 2 : 1) } : undefined,
          )
        },
      ),
      { numRuns: 300 },
    )
    expect(vuiOfHevc(new BitReader(new Uint8Array(0)), 1)).toBeUndefined()
  })
})

it('a video parameter set is one by its header and what is reserved in it', () => {
  const bytes = Uint8Array.of(0x40, 1, 0x5c, 1, 0xff, 0xff, ...new Uint8Array(12))
  expect(parseVps(bytes)).toEqual({ id: 5, bytes })
  expect(parseVps(bytes.subarray(0, 17))).toBeUndefined()
  for (const [at, value] of [
    [0, 0x42],
    [0, 0x41],
    [1, 9],
    [4, 0xfe],
    [5, 0x7f],
  ])
    expect(parseVps(bytes.with(at, value)), `${at}`).toBeUndefined()
})
