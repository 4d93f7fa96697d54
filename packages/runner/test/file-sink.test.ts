import { closeSync, openSync, readFileSync } from 'node:fs'
import { EnvironmentError } from '@mendframe/engine'
import { expect, test } from 'vitest'
import { FileSink } from '../src/file-sink.ts'
import { Folder } from './folder.ts'

test('pieces of every size arrive in order', () => {
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
  sink.flush()
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
