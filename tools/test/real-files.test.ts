import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { isTextNamedAsTransport } from '../src/real-files/transport.ts'

const folder = mkdtempSync(join(tmpdir(), 'mendframe-named-'))
afterAll(() => rmSync(folder, { recursive: true }))

function file(name: string, bytes: Uint8Array): string {
  const path = join(folder, name)
  writeFileSync(path, bytes)
  return path
}

function packets(count: number, length: number, before: number): Uint8Array {
  const bytes = new Uint8Array(before + count * length)
  for (let packet = 0; packet < count; packet++) bytes[before + packet * length] = 0x47
  return bytes
}

const SOURCE = Buffer.from('export const GREETING = "Good morning, Giulia"\n'.repeat(200))

it.each([
  ['a transport stream', 'a.ts', packets(20, 188, 0), false],
  ['one of two packets', 'b.ts', packets(2, 188, 0), false],
  ['one with times in front of its packets', 'c.mts', packets(20, 192, 4), false],
  ['one whose beginning is lost', 'd.ts', packets(40, 188, 5000), false],
  ['a source of TypeScript', 'e.ts', SOURCE, true],
  ['a source of a module', 'f.MTS', SOURCE, true],
  ['a film of another name', 'g.mp4', SOURCE, false],
])('%s is counted unless it is a text', (_, name, bytes, isText) => {
  expect(isTextNamedAsTransport(file(name, bytes))).toBe(isText)
})
