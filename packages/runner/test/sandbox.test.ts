import { spawnSync } from 'node:child_process'
import { readFileSync, truncateSync, writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { expect, test } from 'vitest'
import { runDiagnose } from '../src/index.ts'
import { sandboxEnvironment, sandboxFlags } from '../src/sandbox.ts'
import { engineChild } from './engine-child.ts'
import { Folder } from './folder.ts'

/** What a program inside the sandbox says; `denied` for each right it does not have. */
function inside(code: string): string {
  const body = `const tried = async (what) => { try { await what(); return 'allowed' } catch (error) { return error.code === 'ERR_ACCESS_DENIED' ? 'denied' : String(error) } }; ${code}`
  const result = spawnSync(process.execPath, [...sandboxFlags([]), '--input-type=module', '--eval', body], {
    env: sandboxEnvironment(),
    encoding: 'utf8',
  })
  return result.stdout.trim()
}

test('a program in the sandbox reads no file but our code', () => {
  using folder = new Folder()
  writeFileSync(folder.file('secret'), 'x')
  const secret = JSON.stringify(folder.file('secret'))
  expect(
    inside(
      `import fs from 'node:fs'; console.log(await tried(() => fs.readFileSync(${secret})), await tried(() => fs.readdirSync('/')))`,
    ),
  ).toBe('denied denied')
})

test('a program in the sandbox writes, starts and reaches nothing', () => {
  using folder = new Folder()
  const target = JSON.stringify(folder.file('new'))
  expect(
    inside(`import fs from 'node:fs'; import { spawnSync } from 'node:child_process'; import { Worker } from 'node:worker_threads'; import net from 'node:net';
      console.log(await tried(() => fs.writeFileSync(${target}, 'x')), await tried(() => spawnSync('true')), await tried(() => new Worker('1', { eval: true })),
      await tried(() => new Promise((done, fail) => net.connect(9, '127.0.0.1').on('error', fail).on('connect', done))))`),
  ).toBe('denied denied denied denied')
})

test('the engine`s process has limits of memory, time and file size that the system holds', async () => {
  using folder = new Folder()
  const path = folder.file('long.mp4')
  writeFileSync(path, '')
  truncateSync(path, 2 ** 30)
  const stop = new AbortController()
  const running = runDiagnose({ file: path, memoryMb: 256, timeoutSeconds: 100, signal: stop.signal }).catch(
    () => undefined,
  )
  let limits = ''
  while (!/Max file size +0 /.test(limits))
    limits = readFileSync(`/proc/${await engineChild()}/limits`, 'latin1')
  stop.abort()
  await running
  expect(limits).toMatch(/Max data size +1342177280 /)
  expect(limits).toMatch(new RegExp(`Max cpu time +${100 * availableParallelism()} `))
  expect(limits).toMatch(/Max core file size +0 /)
})

test('a program in the sandbox sees nothing of our environment', () => {
  process.env.MENDFRAME_TEST_SECRET = 'x'
  expect(inside(`console.log(Object.keys(process.env).length)`)).toBe('0')
  delete process.env.MENDFRAME_TEST_SECRET
})
