import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { judge, median, type Visit } from '../src/bench-web/budgets.ts'
import { type SiteServer, serveSite } from '../src/bench-web/server.ts'

const visit = (scriptBytes: number, largestPaint: number, layoutShift: number): Visit => ({
  scriptBytes,
  totalBytes: scriptBytes,
  largestPaint,
  largestElement: 'h1',
  layoutShift,
  longestTask: 0,
})

describe('the budgets of the landing pages', () => {
  it('are kept up to the very figure', () => {
    expect(judge([visit(120_000, 1500, 0.02)]).every(({ kept }) => kept)).toBe(true)
  })

  it('are broken one by one', () => {
    expect(judge([visit(120_001, 1500, 0.02)]).map(({ kept }) => kept)).toEqual([false, true, true])
    expect(judge([visit(120_000, 1501, 0.02)]).map(({ kept }) => kept)).toEqual([true, false, true])
    expect(judge([visit(120_000, 1500, 0.021)]).map(({ kept }) => kept)).toEqual([true, true, false])
  })

  it('go by the median, so that one slow visit does not decide', () => {
    expect(judge([visit(1, 900, 0), visit(1, 9000, 0), visit(1, 1000, 0)])[1]).toMatchObject({
      value: 1000,
      kept: true,
    })
    expect(median([4, 1, 3, 2])).toBe(2)
  })

  it('are not kept by a page that painted nothing', () => {
    expect(judge([visit(1, Number.NaN, 0)])[1]?.kept).toBe(false)
  })
})

describe('the server of the measurement', () => {
  let server: SiteServer | undefined
  let folder: string | undefined
  afterEach(async () => {
    await server?.close()
    if (folder) rmSync(folder, { recursive: true })
  })

  it('sends text with gzip, pictures as they are, folders by their index', async () => {
    folder = mkdtempSync(join(tmpdir(), 'bench-web-'))
    mkdirSync(join(folder, 'photo'))
    writeFileSync(join(folder, 'photo', 'index.html'), '<p>photo</p>')
    writeFileSync(join(folder, 'a.js'), 'let a = 1;'.repeat(500))
    writeFileSync(join(folder, 'b.webp'), Uint8Array.of(1, 2, 3))
    server = await serveSite(folder)
    expect(await (await fetch(`${server.origin}/photo/`)).text()).toBe('<p>photo</p>')
    const script = await fetch(`${server.origin}/a.js`)
    expect(script.headers.get('content-encoding')).toBe('gzip')
    expect(Number(script.headers.get('content-length'))).toBeLessThan(200)
    expect(await script.text()).toHaveLength(5000)
    const picture = await fetch(`${server.origin}/b.webp`)
    expect(picture.headers.get('content-encoding')).toBeNull()
    expect((await picture.bytes()).length).toBe(3)
    expect((await fetch(`${server.origin}/../etc/passwd`)).status).toBe(404)
  })
})
