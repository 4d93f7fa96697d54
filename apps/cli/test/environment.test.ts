import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { expect, test } from 'vitest'
import { readEnvironment, readyLines } from '../src/service/environment.ts'
import { freePort } from '../src/service/free-port.ts'
import { fingerprint } from '../src/web-build/fingerprint.ts'
import { Folder, start } from './mendframe.ts'

test('a .env file fills in what the environment leaves open', () => {
  using folder = new Folder()
  writeFileSync(folder.file('.env'), '# a comment\nPORT=4000\nHOST="0.0.0.0"\nLOG_LEVEL=debug\n')
  expect(readEnvironment(folder.path, { PORT: '5000', LOG_LEVEL: '' })).toEqual({
    PORT: '5000',
    HOST: '0.0.0.0',
    LOG_LEVEL: 'debug',
  })
  expect(readEnvironment(folder.file('nowhere'), { PORT: '1' })).toEqual({ PORT: '1' })
})

test('a free port can be listened on', async () => {
  const port = await freePort('127.0.0.1')
  const server = createServer().listen(port, '127.0.0.1')
  await once(server, 'listening')
  server.close()
  expect(port).toBeGreaterThan(0)
})

test('the start says address and data folder, whatever the folder is called', () => {
  expect(readyLines('http://127.0.0.1:3000', '/tmp/a\nb')).toBe(
    'Mendframe is ready at http://127.0.0.1:3000\nData folder: /tmp/a\\x0ab\nStop it with Ctrl-C.\n',
  )
})

test('a fingerprint changes with a name, a byte and a new file, and with nothing else', () => {
  using folder = new Folder()
  writeFileSync(folder.file('a'), '1')
  const first = fingerprint([folder.path, folder.file('missing')])
  writeFileSync(folder.file('a'), '1')
  expect(fingerprint([folder.path, folder.file('missing')])).toBe(first)
  writeFileSync(folder.file('a'), '2')
  const second = fingerprint([folder.path])
  writeFileSync(folder.file('b'), '')
  expect(new Set([first, second, fingerprint([folder.path])]).size).toBe(3)
})

test('a command for operators where no service has run founds none', async () => {
  using folder = new Folder()
  const outcome = await start(['admin', 'users', 'list'], { cwd: folder.path }).outcome
  expect(outcome.code).toBe(2)
  expect(outcome.stderr).toMatch(
    /^mendframe: no service has kept anything in .*data; MENDFRAME_DATA names its data folder\n$/,
  )
  expect(folder.names()).toEqual([])
})
