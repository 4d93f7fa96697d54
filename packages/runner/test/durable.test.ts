import fs, { writeSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { afterEach, expect, test, vi } from 'vitest'
import { PendingOutput } from '../src/pending-output.ts'
import { Folder } from './folder.ts'

afterEach(() => {
  vi.restoreAllMocks()
  syncBuiltinESMExports()
})

test.each([
  { durable: true, what: 'the file and its name are waited for' },
  { durable: false, what: 'nothing is waited for' },
])('when durable is $durable, $what', ({ durable }) => {
  using folder = new Folder()
  const output = PendingOutput.create(folder.file('out.mp4'), [], false)
  writeSync(output.descriptor, 'repaired')
  const sync = vi.spyOn(fs, 'fsyncSync')
  syncBuiltinESMExports()
  output.publish(durable)
  expect(sync).toHaveBeenCalledTimes(durable ? 2 : 0)
  expect(folder.names()).toEqual(['out.mp4'])
})
