import { closeSync, existsSync, openSync, readFileSync, statSync, writeFileSync, writeSync } from 'node:fs'
import { dirname } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import {
  AbortedError,
  EngineError,
  EnvironmentError,
  LimitError,
  UnsupportedError,
  UsageError,
} from '@mendframe/engine/errors'
import { expect, test } from 'vitest'
import { Copier } from '../src/copier.ts'
import { copyInto } from '../src/copy.ts'
import { syncEarly } from '../src/early-sync.ts'
import { environmentError, fromWire, systemCode, toWire } from '../src/errors.ts'
import { openInput } from '../src/inputs.ts'
import { processMemory } from '../src/memory.ts'
import { PendingOutput } from '../src/pending-output.ts'
import { Scratch } from '../src/scratch.ts'
import { Folder } from './folder.ts'

const MIB = 2 ** 20
/** Milliseconds after which bytes have begun to go to the disk. */
const BEGUN = 400

test('a disk that fails while it is written to is told at the end, once there was something to write', async () => {
  using folder = new Folder()
  const descriptor = openSync(folder.file('out'), 'w')
  writeSync(descriptor, 'bytes')
  const good = syncEarly(descriptor, 'the output')
  // what is no file on a disk cannot be told to go there
  const nowhere = openSync('/dev/null', 'w')
  const [early, late] = [syncEarly(nowhere, 'the output'), syncEarly(nowhere, 'the output')]
  await expect(early()).resolves.toBeUndefined()
  await setTimeout(BEGUN)
  await expect(late()).rejects.toThrow(/^cannot write the output: /)
  await expect(good()).resolves.toBeUndefined()
  closeSync(nowhere)
  closeSync(descriptor)
})

test('the memory of a process is told in bytes, and of none nothing', () => {
  const { current = 0, peak = 0 } = processMemory(process.pid) ?? {}
  expect(current).toBeGreaterThan(process.memoryUsage().rss / 2)
  expect(current).toBeLessThan(process.memoryUsage().rss * 2)
  expect(peak).toBeGreaterThanOrEqual(current)
  expect(processMemory(-1)).toBeUndefined()
})

test('a file is copied whole, told as it goes, up to a wish to stop', async () => {
  using folder = new Folder()
  const bytes = Buffer.from(Array.from({ length: MIB + 5 }, (_, at) => (at * 31 + (at >> 9)) & 255))
  writeFileSync(folder.file('in'), bytes)
  const input = openInput(folder.file('in'))
  const output = PendingOutput.create(folder.file('out'), [input], false)
  const { mode } = statSync(output.temporary)
  const told: number[] = []
  const copier = (): Copier => new Copier(input.descriptor, output.descriptor, 'the output')
  await copyInto(input, output, copier(), (fraction) => told.push(fraction))
  expect(told).toEqual(told.toSorted((a, b) => a - b))
  expect(told.length === 0 || told.at(-1) === 1).toBe(true)
  expect(readFileSync(output.temporary).equals(bytes)).toBe(true)
  expect(statSync(output.temporary).mode).toBe(mode)
  if (told.length > 0)
    await expect(copyInto(input, output, copier(), () => {}, AbortSignal.abort())).rejects.toThrow(
      AbortedError,
    )
  output.discard()
  closeSync(input.descriptor)
})

test.each([
  ['serves where nobody prepared to write', (_copier: Copier) => {}, 0],
  ['is done again where somebody held', (copier: Copier) => copier.hold(), 5],
  [
    'is done again where something was ordered',
    (copier: Copier) => copier.add({ from: 0, at: 0, length: 1 }),
    5,
  ],
])('of a file to be copied what was copied ahead %s', async (_what, prepare, expected) => {
  using folder = new Folder()
  writeFileSync(folder.file('in'), Buffer.alloc(MIB, 5))
  const input = openInput(folder.file('in'))
  const output = PendingOutput.create(folder.file('out'), [input], false)
  const copier = new Copier(input.descriptor, output.descriptor, 'the output')
  copier.ahead(0, MIB)
  await expect.poll(() => statSync(output.temporary).size).toBe(MIB)
  // what is copied again is seen by what stands there, and more stands behind
  writeSync(output.descriptor, Buffer.alloc(1), 0, 1, 100)
  writeSync(output.descriptor, Buffer.alloc(9), 0, 9, MIB)
  prepare(copier)
  await copyInto(input, output, copier, () => {})
  const bytes = readFileSync(output.temporary)
  output.discard()
  closeSync(input.descriptor)
  expect(bytes[100]).toBe(expected)
  expect(bytes.fill(5, 100, 101).equals(Buffer.alloc(MIB, 5))).toBe(true)
})

test('what is to be decoded lies beside the output, and goes with it', () => {
  using folder = new Folder()
  const scratch = new Scratch(folder.file('out'))
  expect(dirname(scratch.path)).toBe(folder.path)
  writeSync(scratch.descriptor, 'picture')
  expect(readFileSync(scratch.path, 'utf8')).toBe('picture')
  const listeners = process.listenerCount('exit')
  scratch.discard()
  expect([existsSync(scratch.path), process.listenerCount('exit')]).toEqual([false, listeners - 1])
  expect(() => new Scratch(folder.file('missing/out'))).toThrow(EnvironmentError)
})

test('long copies are told by the eight mebibytes, and the rest when nothing is left', async () => {
  using folder = new Folder()
  writeFileSync(folder.file('in'), Buffer.alloc(20 * MIB, 3))
  const [input, output] = [openSync(folder.file('in'), 'r'), openSync(folder.file('out'), 'w')]
  const copier = new Copier(input, output, 'the output')
  const told: number[] = []
  await new Promise<void>((resolve, reject) => {
    copier.listen({
      done: (bytes) => {
        told.push(bytes)
        if (told.reduce((sum, each) => sum + each, 0) === 20 * MIB) resolve()
      },
      failed: reject,
    })
    for (let at = 0; at < 20; at++) copier.add({ from: at * MIB, at: at * MIB, length: MIB })
  })
  copier.stop()
  closeSync(input)
  closeSync(output)
  expect(told.slice(0, -1).every((bytes) => bytes >= 8 * MIB)).toBe(true)
})

test('errors of the engine come out of its process as what they were, and no others do', () => {
  const kinds = [UsageError, LimitError, UnsupportedError, EnvironmentError, AbortedError, EngineError]
  for (const Kind of kinds) {
    const wire = toWire(new Kind('why'))
    expect(wire && fromWire(JSON.parse(JSON.stringify(wire)))).toEqual(new Kind('why'))
    expect(wire && fromWire(wire)).toBeInstanceOf(Kind)
  }
  expect(toWire(new Error('a defect'))).toBeUndefined()
})

test('what the system says is one line in plain words, and else its own', () => {
  const full = Object.assign(new Error('ENOSPC: no space'), { code: 'ENOSPC' })
  expect(environmentError('cannot write', full).message).toBe('cannot write: the disk is full')
  const odd = Object.assign(new Error('odd'), { code: 'EODD' })
  expect(environmentError('cannot write', odd).message).toBe('cannot write: odd')
  expect(environmentError('cannot write', 'text').message).toBe('cannot write: text')
  expect([systemCode(odd), systemCode(new Error('x')), systemCode({ code: 'E' })]).toEqual([
    'EODD',
    undefined,
    undefined,
  ])
  expect(systemCode(Object.assign(new Error('x'), { code: 7 }))).toBeUndefined()
})
