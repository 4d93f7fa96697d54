import type { Stream } from 'node-av/lib'
import { expect, test } from 'vitest'
import { declaredBy, samplesDeclared } from '../src/media/declared.ts'
import { Faults } from '../src/tasks/verify/faults.ts'
import { declaredOtherwise } from '../src/tasks/verify/looks.ts'

test('a size that differs by more than cropping is told, one that does not is not', () => {
  expect(declaredOtherwise({ width: 720, height: 576 }, { width: 720, height: 480 })).toEqual({
    declared: '720x576',
  })
  expect(declaredOtherwise({ width: 1920, height: 1088 }, { width: 1920, height: 1080 })).toEqual({})
  // lines of vertical blanking are coded, and not counted
  expect(declaredOtherwise({ width: 720, height: 486 }, { width: 720, height: 512 })).toEqual({})
  expect(declaredOtherwise({}, { width: 720, height: 480 })).toEqual({})
})

test('sound may decode to twice or half the declared rate, and to no other', () => {
  for (const sampleRate of [24_000, 48_000, 12_000])
    expect(declaredOtherwise({ sampleRate: 24_000 }, { sampleRate })).toEqual({})
  expect(declaredOtherwise({ sampleRate: 22_050 }, { sampleRate: 48_000 })).toEqual({ declared: '22050 Hz' })
})

test('pictures of other samples than the configuration states are told, by the library`s name of their format', () => {
  const hvcC = Uint8Array.from([1, ...Array(15).fill(0), 0xfd, 0xfa, 0xf8])
  expect(samplesDeclared('hevc', hvcC)).toEqual({ colour: '4:2:0', depth: 10 })
  // a camera whose box has no colour though its profile knows no pictures without
  const main = Uint8Array.from([1, 1, ...Array(14).fill(0), 0xfc, 0xf8, 0xf8])
  const extended = main.with(1, 4)
  expect([main, extended].map((box) => samplesDeclared('hevc', box)?.colour)).toEqual(['4:2:0', '4:0:0'])
  expect(samplesDeclared('h264', Uint8Array.of(1, 77, 0, 31))).toEqual({ colour: '4:2:0', depth: 8 })
  expect(samplesDeclared('h264', Uint8Array.of(1, 122, 0, 31))).toBeUndefined()
  expect(samplesDeclared('av1', Uint8Array.of(0x81, 0, 0x4c, 0))).toEqual({ colour: '4:2:0', depth: 10 })
  expect(samplesDeclared('av1', Uint8Array.of(0x81, 0, 0x68, 0))).toEqual({ colour: '4:2:2', depth: 12 })
  const declared = { samples: { colour: '4:2:0', depth: 8 } }
  const otherwise = (pixelFormat: string) =>
    declaredOtherwise(declared, { width: 64, height: 64, pixelFormat }).declared
  expect(['yuv420p', 'yuvj420p', 'nv12'].map(otherwise)).toEqual([undefined, undefined, undefined])
  for (const pixelFormat of ['yuv420p10le', 'yuv411p', 'yuv444p', 'gray', 'gbrp12le'])
    expect(otherwise(pixelFormat)).toBe('4:2:0 in 8 bits')
})

test('channels are what a configuration counts, not what else containers say', () => {
  const codecpar = { width: 0, height: 0, sampleRate: 48_000, channels: 2, extradata: null }
  const declared = (codec: string) => declaredBy({ codecpar } as unknown as Stream, codec).channels
  expect(['aac', 'opus', 'mp3', 'pcm_s16le'].map(declared)).toEqual([2, 2, undefined, undefined])
})

test('the rate of Opus is its own, whatever containers say', () => {
  const codecpar = { width: 0, height: 0, sampleRate: 8_000, channels: 2, extradata: null }
  const declared = (codec: string) => declaredBy({ codecpar } as unknown as Stream, codec).sampleRate
  expect(['opus', 'aac'].map(declared)).toEqual([undefined, 8_000])
})

test('other channels than declared are told, but for one that is played as two', () => {
  const otherwise = (channels: number, decoded: number) =>
    declaredOtherwise({ channels }, { sampleRate: 48_000, channels: decoded }).declared
  expect(otherwise(2, 1)).toBe('2 channels')
  expect(otherwise(6, 2)).toBe('6 channels')
  expect([otherwise(1, 2), otherwise(2, 2)]).toEqual([undefined, undefined])
})

test('faults that touch are one stretch, those that are likely another, and a complaint stays one', () => {
  const faults = new Faults()
  faults.add(1.04, 0.04)
  faults.add(1, 0.04)
  faults.add(1, 0.04, true)
  faults.add(2, 0.04, true)
  const [first, second, ...more] = faults.list(1)
  expect(first).toMatchObject({ start: 0, units: 2 })
  expect(first).not.toHaveProperty('likely')
  expect(second).toMatchObject({ start: 1, units: 1, likely: true })
  expect(more).toEqual([])
})

test('a track with very many faults tells no more than two thousand', () => {
  const faults = new Faults()
  for (let at = 0; at < 9_000; at++) faults.add(at / 5, 0.04)
  const list = faults.list(0)
  expect(list.length).toBeLessThanOrEqual(2_000)
  expect(list.reduce((sum, { units }) => sum + units, 0)).toBe(9_000)
})
