import { existsSync, statSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { dirname } from 'node:path'
import { EnvironmentError, UsageError } from '@mendframe/runner'
import { expect, test } from 'vitest'
import { askService, channelPath, openChannel } from '../src/admin/channel.ts'
import { Folder } from './mendframe.ts'

test('a command goes to the running service and its result comes back', async () => {
  using folder = new Folder()
  const channel = await openChannel(folder.path, async (command, values) => ({ command, values }))
  const line = 'two\nlines "quoted"'
  expect(await askService(folder.path, 'users list', { line })).toEqual({
    result: { command: 'users list', values: { line } },
  })
  expect(statSync(channelPath(folder.path)).mode & 0o777).toBe(0o600)
  await channel.close()
})

test('without a running service there is no answer, also where a dead one left its socket', async () => {
  using folder = new Folder()
  expect(await askService(folder.path, 'x', {})).toBeUndefined()
  writeFileSync(channelPath(folder.path), '')
  expect(await askService(folder.path, 'x', {})).toBeUndefined()
  const channel = await openChannel(folder.path, async () => 1)
  expect(await askService(folder.path, 'x', {})).toEqual({ result: 1 })
  await channel.close()
})

test('a wrong command and a failing one come back as what they are', async () => {
  using folder = new Folder()
  const channel = await openChannel(folder.path, async (command) => {
    throw command === 'wrong' ? new UsageError('no such plan') : new Error('disk full')
  })
  await expect(askService(folder.path, 'wrong', {})).rejects.toEqual(new UsageError('no such plan'))
  await expect(askService(folder.path, 'failing', {})).rejects.toEqual(new EnvironmentError('disk full'))
  await channel.close()
})

test('nonsense and an endless line do not hurt the service', async () => {
  using folder = new Folder()
  const channel = await openChannel(folder.path, async () => 'alive')
  for (const bytes of ['{nonsense\n', 'x'.repeat(3 << 20)]) {
    await new Promise<void>((resolve) => {
      const socket = connect(channelPath(folder.path))
      socket.on('error', () => {})
      socket.on('close', () => resolve())
      socket.resume()
      socket.write(bytes)
    })
  }
  expect(await askService(folder.path, 'x', {})).toEqual({ result: 'alive' })
  await channel.close()
})

test('a data folder with a very long path still has a socket', async () => {
  using folder = new Folder()
  const deep = folder.file('d'.repeat(120))
  expect(Buffer.byteLength(channelPath(deep))).toBeLessThan(108)
  const channel = await openChannel(deep, async () => 1)
  expect(await askService(deep, 'x', {})).toEqual({ result: 1 })
  await channel.close()
  expect(existsSync(dirname(channelPath(deep)))).toBe(false)
})
