import { expect, test } from 'vitest'
import { ZeroWatch } from '../src/zero-watch.ts'

const LEAST = 512

/** Bytes of a file, 1 where no stretch of zeros lies. */
function bytesWith(length: number, ...stretches: readonly (readonly [offset: number, length: number])[]) {
  const bytes = new Uint8Array(length).fill(1)
  for (const [offset, zeros] of stretches) bytes.fill(0, offset, offset + zeros)
  return bytes
}

/** What is told of bytes that pass in pieces. */
function told(bytes: Uint8Array, piece: number) {
  const watch = new ZeroWatch()
  for (let at = 0; at < bytes.length; at += piece) watch.see(bytes.subarray(at, at + piece), at)
  return watch.take()
}

test('stretches long enough are told wherever pieces end', () => {
  const stretches = [
    [0, LEAST],
    [700, LEAST - 1],
    [2000, LEAST + 3],
    [3001, 3000],
    [9488, LEAST],
  ] as const
  const bytes = bytesWith(10_000, ...stretches)
  const long = stretches
    .filter(([, length]) => length >= LEAST)
    .map(([offset, length]) => ({ offset, length }))
  for (const piece of [100, 256, 511, 512, 700, 3001, 4096, 10_000]) expect(told(bytes, piece)).toEqual(long)
})

test('bytes that do not follow each other hold no stretch together', () => {
  const watch = new ZeroWatch()
  watch.see(new Uint8Array(300), 0)
  watch.see(new Uint8Array(300), 1000)
  expect(watch.take()).toEqual([])
  watch.see(new Uint8Array(212), 1300)
  expect(watch.take()).toEqual([{ offset: 1000, length: LEAST }])
})

test('a stretch that was told as it went on is told once more in full', () => {
  const watch = new ZeroWatch()
  watch.see(new Uint8Array(600), 0)
  expect(watch.take()).toEqual([{ offset: 0, length: 600 }])
  watch.see(bytesWith(600, [0, 100]), 600)
  expect(watch.take()).toEqual([{ offset: 0, length: 700 }])
  expect(watch.take()).toEqual([])
})

test('too many stretches are told as such, for good', () => {
  const watch = new ZeroWatch()
  const piece = bytesWith(1024, [0, LEAST])
  for (let at = 0; at < 70_000; at++) watch.see(piece, at * 1024)
  expect(watch.take()).toBeUndefined()
  expect(watch.take()).toBeUndefined()
})
