import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { preview } from 'vite'
import { expect, onTestFinished, test } from 'vitest'
import { readyToPrerender } from '../../ready-to-prerender.ts'

/**
 * A project's folder with a page and, when given, the script of a server build. Returns whether that is loaded once it can be
 * asked.
 */
async function loadedWhenReachable(script?: string): Promise<unknown> {
  const root = mkdtempSync(join(tmpdir(), 'prerender-'))
  onTestFinished(() => rmSync(root, { recursive: true }))
  writeFileSync(join(root, 'package.json'), '{ "type": "module" }')
  writeFileSync(join(root, 'page.html'), '<p>')
  if (script !== undefined) writeFileSync(join(root, 'index.js'), script)
  const server = await preview({
    root,
    configFile: false,
    logLevel: 'silent',
    plugins: [readyToPrerender('.')],
    build: { outDir: '.' },
    preview: { port: 0 },
  })
  onTestFinished(() => server.close())
  return Reflect.get(globalThis, 'slowPagesLoaded')
}

test('the pages are loaded, however slowly, before the clock of the first one runs', async () => {
  onTestFinished(() => void Reflect.deleteProperty(globalThis, 'slowPagesLoaded'))
  const slow =
    'await new Promise((resolve) => setTimeout(resolve, 300)); globalThis.slowPagesLoaded = true; export default 1'
  expect(await loadedWhenReachable(slow)).toBe(true)
})

test('a preview of the site as it is built needs no server build', async () => {
  expect(await loadedWhenReachable()).toBeUndefined()
})
