import { closeSync, openSync, readFileSync, writeFileSync } from 'node:fs'
import { EnvironmentError, MemorySource } from '@mendframe/engine'
import { expect, test } from 'vitest'
import { Copier } from '../src/copier.ts'
import { FileSink } from '../src/file-sink.ts'
import { FileSource } from '../src/file-source.ts'
import { Folder } from './folder.ts'

test('pieces of every size arrive in order', async () => {
  using folder = new Folder()
  const descriptor = openSync(folder.file('out'), 'w')
  const sink = new FileSink(descriptor, 'the output')
  const sizes = [1, 1000, 1 << 20, 3, 700_000, 700_000, (1 << 20) + 1, 0, 5]
  const expected: Buffer[] = []
  for (const [index, size] of sizes.entries()) {
    const piece = Buffer.alloc(size, index + 1)
    sink.write(piece)
    expected.push(Buffer.from(piece))
    piece.fill(0)
  }
  await sink.end()
  closeSync(descriptor)
  expect(sink.position).toBe(sizes.reduce((sum, size) => sum + size, 0))
  expect(readFileSync(folder.file('out')).equals(Buffer.concat(expected))).toBe(true)
})

test('a full disk is a fault of the environment with a clear line', () => {
  const descriptor = openSync('/dev/full', 'w')
  const sink = new FileSink(descriptor, 'the output')
  sink.write(new Uint8Array(10))
  expect(() => sink.flush()).toThrow(new EnvironmentError('cannot write the output: the disk is full'))
  closeSync(descriptor)
})

test('copies are left to another, between what is written before and behind them', async () => {
  using folder = new Folder()
  const origin = Buffer.from(Array.from({ length: 9_000_000 }, (_, at) => (at * 7 + (at >> 8)) & 255))
  writeFileSync(folder.file('in'), origin)
  const source = FileSource.open(folder.file('in'))
  const input = openSync(folder.file('in'), 'r')
  const descriptor = openSync(folder.file('out'), 'w')
  const copier = new Copier(input, descriptor, 'the output')
  const sink = new FileSink(descriptor, 'the output', {
    source,
    order: (order) => copier.add(order),
    hold: () => expect.fail('nothing is copied ahead'),
  })
  copier.listen({
    done: (bytes, zeros) => sink.copied(bytes, zeros),
    failed: (error) => expect.fail(error.message),
  })
  sink.write(Buffer.from('front'))
  expect(sink.copy(source, 100, 8_500_000)).toBe(true)
  sink.write(Buffer.from('middle'))
  sink.copy(source, 8_999_990, 20)
  expect(sink.copy(new MemorySource(origin), 0, 5)).toBe(false)
  await sink.seek(1)
  sink.write(Buffer.from('RON'))
  await sink.seek(5 + 8_500_000 + 6 + 15)
  await sink.end()
  closeSync(descriptor)
  closeSync(input)
  source.close()
  const expected = Buffer.concat([
    Buffer.from('fRONt'),
    origin.subarray(100, 8_500_100),
    Buffer.from('middle'),
    origin.subarray(8_999_990),
    Buffer.alloc(5),
  ])
  expect(readFileSync(folder.file('out')).equals(expected)).toBe(true)
})

test('what fails in the background is thrown by the next call', async () => {
  const descriptor = openSync('/dev/full', 'w')
  const sink = new FileSink(descriptor, 'the output')
  const full = new EnvironmentError('cannot write the output: the disk is full')
  for (let piece = 0; piece < 4; piece++) sink.write(new Uint8Array(100_000))
  await expect(sink.settled()).rejects.toThrow(full)
  expect(() => sink.write(new Uint8Array(1))).toThrow(full)
  await expect(sink.end()).rejects.toThrow(full)
  closeSync(descriptor)
})

test('what is foretold of its source is handed on until it holds, and is no part of the file', async () => {
  using folder = new Folder()
  writeFileSync(folder.file('in'), Buffer.alloc(1000, 7))
  const source = FileSource.open(folder.file('in'))
  const descriptor = openSync(folder.file('out'), 'w')
  const told: unknown[] = []
  let asked = 0
  const sink: FileSink = new FileSink(descriptor, 'the output', {
    ...{ source, order: () => expect.fail('nothing is to be copied') },
    foretell: (order) => told.push(order),
    hold: () => {
      asked++
      sink.held()
    },
  })
  sink.write(Buffer.from('fro'))
  sink.expect(new MemorySource(new Uint8Array(9)), 0, 5, 9)
  sink.expect(source, 10, 5, 900)
  expect(() => sink.write(new Uint8Array(1))).toThrow('written before copying ahead was ended')
  await sink.hold()
  sink.expect(source, 910, 905, 90)
  sink.write(Buffer.from('nt'))
  await sink.end()
  closeSync(descriptor)
  source.close()
  expect({ told, asked }).toEqual({ told: [{ from: 10, at: 5, length: 900 }], asked: 1 })
  expect(readFileSync(folder.file('out'), 'utf8')).toBe('front')
})

test('where it is copied ahead nothing is written before that has ended', async () => {
  using folder = new Folder()
  writeFileSync(folder.file('in'), Buffer.alloc(1000, 7))
  const source = FileSource.open(folder.file('in'))
  const descriptor = openSync(folder.file('out'), 'w')
  let asked = 0
  const sink = new FileSink(descriptor, 'the output', {
    ...{ source, lead: 4096, order: () => expect.fail('nothing is to be copied') },
    hold: () => {
      asked++
    },
  })
  expect(sink.lead).toBe(4096)
  expect(() => sink.write(new Uint8Array(1))).toThrow('written before copying ahead was ended')
  let held = false
  const hold = Promise.all([sink.hold(), sink.hold()]).then(() => {
    held = true
  })
  await Promise.resolve()
  expect({ asked, held, lead: sink.lead }).toEqual({ asked: 1, held: false, lead: undefined })
  sink.held()
  await hold
  sink.write(Buffer.from('front'))
  await sink.end()
  closeSync(descriptor)
  source.close()
  expect(readFileSync(folder.file('out'), 'utf8')).toBe('front')
})
