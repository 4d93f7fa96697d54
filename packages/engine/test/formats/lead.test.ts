import { expect, it } from 'vitest'
import { LOOKED_AT, likelyLead } from '../../src/formats/lead.ts'

const LARGE = 2 ** 30
const start = (text: string): Uint8Array => new TextEncoder().encode(text).subarray(0, LOOKED_AT)

it('chunks of RIFF are likely to stay where they are', () => {
  expect(likelyLead(start('RIFF'), LARGE, true)).toBe(0)
  expect(likelyLead(start('RIFX'), LARGE, true)).toBeGreaterThan(0)
})

it('all else is likely to make room for an index in front, in whole pages and at least a 256th of it', () => {
  for (const size of [2 ** 27, LARGE, LARGE + 1, 2 ** 37 + 12345]) {
    const lead = likelyLead(new Uint8Array(LOOKED_AT), size, true) ?? 0
    expect(lead % 4096).toBe(0)
    expect(lead).toBeGreaterThanOrEqual(size / 256 + 2 ** 19)
    expect(lead).toBeLessThan(size / 256 + 2 ** 19 + 4096)
  }
})

it('without a sample only what stays in its place is worth it', () => {
  expect(likelyLead(start('RIFF'), LARGE, false)).toBe(0)
  expect(likelyLead(start('RIFX'), LARGE, false)).toBeUndefined()
})

it('files whose formats foretell their results are not guessed at', () => {
  for (const text of ['FLV', 'G']) expect(likelyLead(start(text), LARGE, true)).toBeUndefined()
  expect(likelyLead(Uint8Array.of(0, 0, 1, 0xba), LARGE, true)).toBeUndefined()
  expect(likelyLead(Uint8Array.of(0x1a, 0x45, 0xdf, 0xa3), LARGE, true)).toBeUndefined()
  expect(likelyLead(Uint8Array.of(0x1a, 0x45, 0xdf, 0xa4), LARGE, true)).toBeGreaterThan(0)
})

it('small files are not worth it', () => {
  expect(likelyLead(start('RIFF'), 2 ** 27 - 1, true)).toBeUndefined()
  expect(likelyLead(start(''), 2 ** 27 - 1, true)).toBeUndefined()
})
