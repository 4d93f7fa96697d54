import { describe, expect, it } from 'vitest'
import { LowBitWriter } from '../../../src/bytes/deflate/low-bit-writer.ts'
import { BoolDecoder } from '../../../src/codecs/bool-decoder.ts'
import { BoolEncoder } from '../../../src/codecs/bool-encoder.ts'
import { checkKeyFrame, rewriteKeyFrame } from '../../../src/codecs/vp8/key-frame-reader.ts'
import { checkLossless, losslessHeader, rewriteLossless } from '../../../src/codecs/vp8l/check-image.ts'
import { webp } from '../../../src/formats/webp/index.ts'
import { fixturesOf } from '../../../testing/contract/fixtures.ts'
import { randomFrom } from '../../../testing/hostile-sources.ts'

/** The body of the only chunk of a fixture. */
function image(name: string): Uint8Array {
  const bytes = fixturesOf(webp).find((fixture) => fixture.name === name)?.bytes
  if (!bytes) throw new Error(`there is no ${name}`)
  return bytes.subarray(20, 20 + new DataView(bytes.buffer, bytes.byteOffset).getUint32(16, true))
}

describe('the boolean encoder', () => {
  it('writes what the decoder reads, and ends where the symbols do', () => {
    const random = randomFrom(4)
    const symbols = Array.from({ length: 20_000 }, () => {
      const probability = 1 + Math.floor(random() * 255)
      return { probability, bit: random() * 256 < probability ? 0 : 1 }
    })
    const encoder = new BoolEncoder()
    for (const { probability, bit } of symbols) encoder.put(bit, probability)
    const decoder = new BoolDecoder(encoder.done())
    for (const { probability, bit } of symbols) expect(decoder.bool(probability)).toBe(bit)
    expect([decoder.window, decoder.overrun, decoder.padded()]).toEqual([0, false, true])
  })
})

describe('a key frame', () => {
  const frame = image('lossy')

  it('is read to where its encoder ended', () => {
    expect(checkKeyFrame(frame)).toMatchObject({
      width: 120,
      height: 88,
      whole: 48,
      modesWhole: 48,
      exact: true,
    })
  })

  it('coded anew is the same but for how its partitions are filled up', () => {
    const again = rewriteKeyFrame(frame, [], Infinity, Infinity)
    expect(again?.subarray(10, 200)).toEqual(frame.subarray(10, 200))
    expect(again && checkKeyFrame(again)).toMatchObject({ whole: 48, exact: true })
  })

  it('cut anywhere has no more than it had before, and what is coded for it is whole', () => {
    let before = 0
    for (let length = 100; length < frame.length; length += 31) {
      const cut = frame.subarray(0, length)
      const check = checkKeyFrame(cut)
      if (!check) continue
      expect(check.exact).toBe(false)
      expect(check.whole).toBeGreaterThanOrEqual(before)
      before = check.whole
      const mended = rewriteKeyFrame(
        cut,
        [],
        check.modesWhole < 48 ? check.modesWhole : Infinity,
        check.whole,
      )
      expect(mended && checkKeyFrame(mended)?.exact, `cut at ${length}`).toBe(true)
    }
    expect(before).toBeGreaterThan(40)
  })

  it('with a bit of its data hit hardly ever ends there', () => {
    let places = 0
    let ends = 0
    for (let at = 20; at < frame.length - 4; at += 13, places++) {
      const hit = Uint8Array.from(frame)
      hit[at] ^= 0x10
      if (checkKeyFrame(hit)?.exact) ends++
    }
    expect(ends).toBeLessThan(places / 30)
  })
})

describe('a lossless image', () => {
  it.each(['lossless', 'few-colours'])(
    '%s, cut anywhere, goes on with pixels that its codes have',
    (name) => {
      const whole = image(name)
      let mendedOnes = 0
      for (let length = 60; length < whole.length; length += 97) {
        const cut = whole.subarray(0, length)
        const check = checkLossless(cut)
        if (!check || check.pixels === 0) continue
        const mended = rewriteLossless(cut, check.pixels)
        const again = mended && checkLossless(mended)
        expect([again?.end, again?.bytes, again?.total], `cut at ${length}`).toEqual([
          'whole',
          mended?.length,
          check.total,
        ])
        expect(mended?.subarray(0, (check.bits >> 3) - 1)).toEqual(whole.subarray(0, (check.bits >> 3) - 1))
        mendedOnes++
      }
      expect(mendedOnes).toBeGreaterThan(whole.length / 200)
    },
  )

  it('is as its encoder left it where what fills its last byte is zero', () => {
    const whole = Uint8Array.from(image('few-colours'))
    const check = checkLossless(whole)
    expect([check?.padded, (check?.bits ?? 0) % 8 > 0]).toEqual([true, true])
    whole[(check?.bits ?? 0) >> 3] |= 0x80
    expect(checkLossless(whole)?.padded).toBe(false)
  })

  it('is broken where pixels are to be taken from in front of the first', () => {
    const bits = new LowBitWriter()
    // no transforms, no cache, one group; lengths of codes for 0, 1 and many zeros
    for (const [value, count] of [
      [0, 3],
      [0, 1],
      [0, 4],
      [0, 3],
      [1, 3],
      [0, 3],
      [1, 3],
      [0, 1],
    ])
      bits.put(value, count)
    // green: 256 zeros, then the symbol of a length of one, then zeros
    for (const [value, count] of [
      [1, 1],
      [127, 7],
      [1, 1],
      [107, 7],
      [0, 1],
      [1, 1],
      [12, 7],
    ])
      bits.put(value, count)
    // red, blue, alpha and distance: the symbol 0 alone
    for (let code = 0; code < 4; code++) bits.put(1, 4)
    const bytes = Uint8Array.from([...losslessHeader(4, 4, false), ...bits.bytes()])
    expect(checkLossless(bytes)).toMatchObject({ end: 'broken', pixels: 0, total: 16 })
  })
})
