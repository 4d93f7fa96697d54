import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { Product } from '../src/product.ts'

const COMMAND = fileURLToPath(new URL('../../bin/mendframe', import.meta.url))

test('the service starts, answers, refuses a twin, obeys its operator, stops cleanly and finds everything again', async () => {
  const product = await Product.start()
  try {
    expect(product.output).toContain(`Data folder: ${product.folder}`)
    expect((await fetch(`${product.address}/readyz`)).status).toBe(200)
    const page = await fetch(product.address)
    expect([page.status, page.headers.get('content-type')]).toEqual([
      200,
      expect.stringContaining('text/html'),
    ])

    const environment = { PATH: process.env.PATH ?? '', MENDFRAME_DATA: product.folder, PORT: '0' }
    const run = (...args: string[]) =>
      spawnSync(COMMAND, args, { cwd: product.folder, env: environment, encoding: 'utf8' })
    const twin = run('serve')
    expect(twin.status).toBe(1)
    expect(twin.stderr).toMatch(/^mendframe: Another Mendframe is running on the data folder [^\n]+\n$/)

    const signUp = await fetch(`${product.address}/api/signup`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email: 'grace@example.org', password: 'a good long passphrase' }),
    })
    expect(signUp.status).toBe(200)
    expect(run('admin', 'users', 'list').stdout).toContain('grace@example.org')
    expect(run('admin', 'plans', 'grant', 'grace@example.org', 'video-10-monthly').status).toBe(0)

    await product.restart()
    expect((await fetch(`${product.address}/healthz`)).status).toBe(200)
    expect(run('admin', 'plans', 'list').stdout).toMatch(/grace@example\.org +video-10-monthly/)
  } finally {
    expect(await product.stop()).toBe(0)
  }
})
