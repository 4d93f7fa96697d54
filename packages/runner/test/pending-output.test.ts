import {
  existsSync,
  linkSync,
  mkdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { EnvironmentError, UsageError } from '@mendframe/engine'
import { expect, test } from 'vitest'
import { identityOf } from '../src/inputs.ts'
import { PendingOutput } from '../src/pending-output.ts'
import { Folder } from './folder.ts'

test('the output appears with its bytes when published and not before', () => {
  using folder = new Folder()
  const output = PendingOutput.create(folder.file('out.mp4'), [], false)
  writeSync(output.descriptor, 'repaired')
  expect(existsSync(folder.file('out.mp4'))).toBe(false)
  expect(folder.names()).toEqual([expect.stringMatching(/^\.out\.mp4\.[0-9a-f]{12}\.partial$/)])
  output.publish()
  output.discard()
  expect(folder.names()).toEqual(['out.mp4'])
  expect(readFileSync(folder.file('out.mp4'), 'utf8')).toBe('repaired')
})

test('a discarded output leaves nothing behind', () => {
  using folder = new Folder()
  const output = PendingOutput.create(folder.file('out.mp4'), [], false)
  output.discard()
  output.discard()
  expect(folder.names()).toEqual([])
})

test('a file of value is not replaced without being told, an empty one is', () => {
  using folder = new Folder()
  writeFileSync(folder.file('kept'), 'dear')
  expect(() => PendingOutput.create(folder.file('kept'), [], false)).toThrow(UsageError)
  expect(folder.names()).toEqual(['kept'])
  const forced = PendingOutput.create(folder.file('kept'), [], true)
  writeSync(forced.descriptor, 'new')
  expect(readFileSync(folder.file('kept'), 'utf8')).toBe('dear')
  forced.publish()
  expect(readFileSync(folder.file('kept'), 'utf8')).toBe('new')
  writeFileSync(folder.file('empty'), '')
  const placeholder = PendingOutput.create(folder.file('empty'), [], false)
  writeSync(placeholder.descriptor, 'filled')
  placeholder.publish()
  expect(readFileSync(folder.file('empty'), 'utf8')).toBe('filled')
})

test('a name taken while the work went on is not stolen', () => {
  using folder = new Folder()
  const output = PendingOutput.create(folder.file('out'), [], false)
  writeFileSync(folder.file('out'), 'somebody else')
  expect(() => output.publish()).toThrow(EnvironmentError)
  output.discard()
  expect(folder.names()).toEqual(['out'])
  expect(readFileSync(folder.file('out'), 'utf8')).toBe('somebody else')
})

test('an input is refused as output under every name it has, even when replacing is allowed', () => {
  using folder = new Folder()
  writeFileSync(folder.file('in'), 'original')
  linkSync(folder.file('in'), folder.file('hard'))
  symlinkSync(folder.file('in'), folder.file('soft'))
  const inputs = [{ identity: identityOf(statSync(folder.file('in'), { bigint: true })) }]
  for (const name of ['in', 'hard', 'soft', './in', '../in']) {
    const path = name.startsWith('..') ? `${folder.path}/x/../in` : folder.file(name)
    if (name.startsWith('..')) mkdirSync(folder.file('x'))
    expect(() => PendingOutput.create(path, inputs, true), name).toThrow(/one of the inputs/)
  }
})

test('folders, devices, links to nothing and missing folders are refused with one line', () => {
  using folder = new Folder()
  mkdirSync(folder.file('d'))
  symlinkSync(folder.file('nowhere'), folder.file('dangling'))
  const refused = (path: string): unknown => {
    try {
      PendingOutput.create(path, [], true)
      return undefined
    } catch (error) {
      return error
    }
  }
  for (const path of ['', folder.file('d'), `${folder.file('d')}/`, '/dev/null', folder.file('dangling')]) {
    expect(refused(path), path).toBeInstanceOf(UsageError)
  }
  const missing = refused(folder.file('missing/out'))
  expect(missing).toBeInstanceOf(EnvironmentError)
  expect(String(missing)).toMatch(/no such file or folder$/)
  expect(refused(folder.file('n'.repeat(300)))).toBeInstanceOf(EnvironmentError)
})

test('a link to a file is followed: the file behind it is replaced and the link stays', () => {
  using folder = new Folder()
  writeFileSync(folder.file('old'), '')
  symlinkSync('old', folder.file('link'))
  const output = PendingOutput.create(folder.file('link'), [], false)
  writeSync(output.descriptor, 'x')
  output.publish()
  expect(readFileSync(folder.file('old'), 'utf8')).toBe('x')
})

test('the longest name a file system takes still finds room for its temporary one', () => {
  using folder = new Folder()
  const output = PendingOutput.create(folder.file('n'.repeat(255)), [], false)
  output.publish()
  expect(folder.names()).toEqual(['n'.repeat(255)])
})
