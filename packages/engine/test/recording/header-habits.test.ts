import { describe, expect, it } from 'vitest'
import { ByteReader } from '../../src/bytes/reader.ts'
import { MemorySource } from '../../src/bytes/source.ts'
import { HeaderHabits, isFilled, packetMask, turnedBytes } from '../../src/recording/header-habits.ts'
import { packetHeader, parsePacketHeader } from '../../src/syntax/pes/packet-header.ts'

function learned(): HeaderHabits {
  const habits = new HeaderHabits()
  for (let i = 0; i < 8; i++) {
    const bytes = packetHeader(0xe0, 1000 + i, 90_000 + i * 3600, 86_400 + i * 3600)
    const header = parsePacketHeader(bytes, 0)
    if (header) habits.learn(bytes, packetMask(bytes, 0, header))
  }
  return habits
}

describe('headers as a stream has them', () => {
  const right = packetHeader(0xe0, 1234, 123_456, 119_856)

  it.each([
    ['a marker bit of a time', 11, 0],
    ['the prefix of a time', 9, 5],
    ['the flags', 7, 7],
    ['the length of the data', 8, 3],
    ['the start code', 2, 4],
  ])('turns %s back and keeps length and times', (_, place, bit) => {
    const hit = right.slice()
    hit[place] ^= 1 << bit
    const mended = learned().mend(hit)
    expect(mended).toEqual(right)
    expect([...turnedBytes(hit, mended ?? hit)]).toEqual([[place, right[place]]])
  })

  it('knows nothing of a header that three turned bits are off', () => {
    const hit = right.slice()
    hit[7] ^= 0x07
    expect(learned().mend(hit)).toBeUndefined()
  })

  it('has no habits before it saw some', () => {
    expect(new HeaderHabits().mend(right)).toBeUndefined()
    expect(new HeaderHabits().isStrange(right)).toBe(false)
  })

  it('takes a header of a usual kind where it stands, and none that the file ends in', () => {
    const other = right.slice()
    other[7] ^= 1
    const bytes = Uint8Array.of(...right, ...other, ...right)
    const habits = learned()
    const takes = (at: number, end: number): boolean =>
      habits.takeUsual(new ByteReader(new MemorySource(bytes.subarray(0, end))), at, right.length)
    expect(takes(0, bytes.length)).toBe(true)
    expect(takes(right.length, bytes.length)).toBe(false)
    expect(takes(right.length * 2, bytes.length)).toBe(true)
    expect(takes(right.length * 2, bytes.length - 1)).toBe(false)
  })

  it('tells data that is no stuffing', () => {
    const longer = right.slice()
    longer[8] += 4
    const bytes = Uint8Array.of(...longer, 1, 2, 3, 4)
    const header = parsePacketHeader(bytes, 0)
    expect(header && isFilled(bytes, 0, header)).toBe(false)
    bytes.fill(0xff, longer.length)
    expect(header && isFilled(bytes, 0, header)).toBe(true)
  })
})
