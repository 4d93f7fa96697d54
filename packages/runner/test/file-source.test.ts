import { appendFileSync, mkdirSync, truncateSync, writeFileSync } from 'node:fs'
import { crc32 } from 'node:zlib'
import { EnvironmentError } from '@mendframe/engine'
import { expect, test } from 'vitest'
import { FileSource } from '../src/file-source.ts'
import { Folder } from './folder.ts'

test('reads come back whole inside the file and short at its end', () => {
  using folder = new Folder()
  writeFileSync(
    folder.file('a'),
    Uint8Array.from({ length: 100 }, (_, index) => index),
  )
  const source = FileSource.open(folder.file('a'))
  const target = new Uint8Array(30)
  expect(source.size).toBe(100)
  expect(source.read(10, target)).toBe(30)
  expect([target[0], target[29]]).toEqual([10, 39])
  expect(source.read(90, target)).toBe(10)
  expect(source.read(100, target)).toBe(0)
  expect(source.read(5_000_000_000, target)).toBe(0)
  source.close()
})

test.each([
  [0, 700_000],
  [1, 299_999],
  [655_000, 9_000_000],
  [5, 5],
  [800_000, 900_000],
])('the sum of [%i, %i) is that of the bytes there', (from, end) => {
  using folder = new Folder()
  const bytes = Uint8Array.from({ length: 700_000 }, (_, index) => (index * index) >> 7)
  writeFileSync(folder.file('a'), bytes)
  const source = FileSource.open(folder.file('a'))
  expect(source.crc32(from, end)).toBe(crc32(bytes.subarray(from, end)))
  source.close()
})

test('bytes are sought in a view of others', () => {
  using folder = new Folder()
  writeFileSync(folder.file('a'), '')
  const source = FileSource.open(folder.file('a'))
  const view = Uint8Array.of(0, 0, 7, 0, 0, 7, 0, 0).subarray(1, 7)
  const places = [0, 2, 3, 5, 6, 9].map((from) => source.indexOf(view, Uint8Array.of(0, 0), from))
  expect(places).toEqual([2, 2, -1, -1, -1, -1])
  source.close()
})

test('a file that grows keeps the size it had, and one that shrinks reads short', () => {
  using folder = new Folder()
  writeFileSync(folder.file('a'), Buffer.alloc(100))
  const source = FileSource.open(folder.file('a'))
  appendFileSync(folder.file('a'), Buffer.alloc(100))
  expect(source.read(0, new Uint8Array(200))).toBe(100)
  truncateSync(folder.file('a'), 40)
  expect(source.read(0, new Uint8Array(200))).toBe(40)
  source.close()
})

test('a folder, a missing file and a failing descriptor are faults of the environment', () => {
  using folder = new Folder()
  mkdirSync(folder.file('d'))
  expect(() => FileSource.open(folder.file('d'))).toThrow(EnvironmentError)
  expect(() => FileSource.open(folder.file('missing'))).toThrow(/no such file/)
  const source = FileSource.open('/proc/self/status')
  source.close()
  expect(() => new FileSource(1_000_000, 10, 'x').read(0, new Uint8Array(1))).toThrow(EnvironmentError)
})
