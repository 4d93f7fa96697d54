import { readFile } from 'node:fs/promises'
import { getTableColumns } from 'drizzle-orm'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Gate, hashPassword, passwordFits } from '../src/accounts/passwords.ts'
import { type RepairRow, repairs } from '../src/db/schema.ts'
import { attachment, type Context, loadConfig, SETTING_NAMES } from '../src/index.ts'
import { compose } from '../src/mail/layout.ts'
import { LETTERS, MAIL_KINDS } from '../src/mail/messages.ts'
import { stripOf } from '../src/notices/deliver.ts'
import { isKey } from '../src/ports/storage.ts'
import { overallPercent, progressStatus } from '../src/repairs/progress.ts'
import { waitAfter } from '../src/repairs/turn.ts'
import { keysMade } from '../src/retention/remove-files.ts'
import { newFileName, resultName, storedName, uploadKey } from '../src/uploads/names.ts'
import { isForeign, SNIFF_BYTES } from '../src/uploads/sniff.ts'
import { checkUploadSpace, hasSpace } from '../src/uploads/space.ts'

describe('settings', () => {
  test('nothing has to be set', () => {
    expect(loadConfig({})).toMatchObject({
      mode: 'development',
      host: '127.0.0.1',
      port: 3000,
      store: { kind: 'demo' },
    })
    expect(loadConfig({ PORT: '', DATABASE_URL: ' ' })).toMatchObject({ port: 3000 })
  })

  test('each is documented in .env.example, and nothing else is', async () => {
    const text = await readFile(new URL('../../../.env.example', import.meta.url), 'utf8')
    const documented = [...text.matchAll(/^#?([A-Z][A-Z0-9_]+)=/gm)].map(([, name]) => name)
    expect(documented.toSorted()).toEqual([...SETTING_NAMES].sort())
  })

  test.each([
    [{ PORT: 'many' }, 'PORT'],
    [{ MENDFRAME_MODE: 'production' }, 'PUBLIC_URL'],
    [{ DATABASE_URL: 'postgres://x' }, 'MENDFRAME_SECRET'],
    [{ MENDFRAME_SECRET: 'short' }, 'MENDFRAME_SECRET'],
    [{ GOOGLE_CLIENT_ID: 'x' }, 'GOOGLE_CLIENT_SECRET'],
    [{ APPLE_CLIENT_ID: 'x', APPLE_TEAM_ID: 'y' }, 'APPLE_PRIVATE_KEY'],
    [{ S3_BUCKET: 'b', S3_ACCESS_KEY_ID: 'x' }, 'S3_SECRET_ACCESS_KEY'],
    [{ CHECKOUT_LINKS: '{' }, 'CHECKOUT_LINKS'],
    [{ CHECKOUT_LINKS: '{"toaster":"https://x.example"}' }, 'CHECKOUT_LINKS'],
    [{ STRIPE_WEBHOOK_SECRET: 'x', CHECKOUT_LINKS: '{"video-10-monthly":"no address"}' }, 'CHECKOUT_LINKS'],
  ])('%j is refused in words that name the setting', (environment, name) => {
    expect(() => loadConfig(environment)).toThrow(name)
  })

  test('production never has the demo store', () => {
    const production = { MENDFRAME_MODE: 'production', PUBLIC_URL: 'https://m.example/' }
    expect(loadConfig(production)).toMatchObject({ publicUrl: 'https://m.example', store: { kind: 'none' } })
    expect(loadConfig({ ...production, STRIPE_WEBHOOK_SECRET: 'x' })).toMatchObject({
      store: { kind: 'live' },
    })
  })
})

describe('passwords', () => {
  test('four are hashed at a time, two hundred wait, and more are sent away; one that fails makes room as well', async () => {
    const gate = new Gate()
    const ends: (() => void)[] = []
    const passing = Array.from({ length: 204 }, (_, i) =>
      gate.pass(() => new Promise<void>((resolve, reject) => ends.push(i % 2 ? resolve : () => reject(i)))),
    )
    const settled = Promise.allSettled(passing)
    await expect(gate.pass(async () => {})).rejects.toMatchObject({ code: 'server.unavailable' })
    for (let ended = 0; ended < 204; ended++) {
      expect(ends.length).toBe(Math.min(204, ended + 4))
      ends[ended]?.()
      await new Promise((resolve) => setImmediate(resolve))
    }
    expect((await settled).filter(({ status }) => status === 'rejected').length).toBe(102)
    expect(await gate.pass(async () => 'free')).toBe('free')
  })

  test('are argon2id, salted, and fit only themselves', async () => {
    const hash = await hashPassword('Zoë')
    expect(hash).toMatch(/^\$argon2id\$v=19\$m=12288,t=3,p=1\$/)
    expect(hash).not.toBe(await hashPassword('Zoë'))
    expect(await passwordFits(hash, 'Zoë')).toBe(true)
    expect(await passwordFits(hash, 'zoë')).toBe(false)
  })

  test('an account without one fits nothing, not even the empty one', async () => {
    expect(await passwordFits(null, '')).toBe(false)
    expect(await passwordFits(undefined, 'x')).toBe(false)
  })
})

test('a saved name does not turn its own text around', () => {
  expect(attachment('photo\u202egpj.exe\u2066.mp4')).toBe(
    `attachment; filename="photo_gpj.exe_.mp4"; filename*=UTF-8''photo_gpj.exe_.mp4`,
  )
})

describe('names', () => {
  test('of objects are ours and valid keys, whatever people call their files', () => {
    expect(isKey(uploadKey(newFileName('mp4')))).toBe(true)
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 2000 }), (name) => {
        const stored = storedName(name)
        expect([...stored].length).toBeLessThanOrEqual(255)
        expect([...stored].every((character) => character >= ' ' && character !== '\x7f')).toBe(true)
        const header = attachment(resultName(stored, 'mp4', 'repaired'))
        expect(header).toMatch(/^attachment; filename="[\x20-\x7e]*"; filename\*=UTF-8''[\w!#$&+.^`|~%-]*$/)
        expect(header.match(/"/g)).toHaveLength(2)
      }),
    )
  })

  test('of results keep the beginning of the original one', () => {
    expect(resultName('holiday.tar.MOV', 'mov', 'repaired')).toBe('holiday.tar_repaired.mov')
    expect(resultName('.mov', 'mov', 'preview')).toBe('.mov_preview.mov')
    expect(resultName('', 'mp4', 'repaired')).toBe('file_repaired.mp4')
  })
})

const both = (mark: string) => [0, mark, true, true] as const
const inFilms = (mark: string) => [0, mark, true, false] as const
const inPhotos = (mark: string) => [0, mark, false, true] as const

describe('sniffing', () => {
  const head = (text: string) => Buffer.from(text, 'latin1')
  test('a Windows program is told by both of its marks, two letters alone are not enough', () => {
    const program = Buffer.alloc(200)
    program.write('MZ', 'latin1')
    expect(isForeign('video', program)).toBe(false)
    program.writeUInt32LE(128, 60)
    program.write('PE\0\0', 128, 'latin1')
    expect(isForeign('video', program)).toBe(true)
  })

  test('what each flavour repairs passes in it and is refused in the other', () => {
    const film = head('\0\0\0\x18ftypisom\0\0\0\0')
    const photo = head('\xff\xd8\xff\xe1 Exif')
    const heic = head('\0\0\0\x18ftypheic\0\0\0\0')
    const raw = head('II\x2a\0\x08\0\0\0')
    const raws = ['FUJIFILMCCD-RAW 0201\0', '\0MRM\0\x01', 'II\x1a\0\0\0HEAPCCDR', 'FOVb\0\0\x02\0'].map(head)
    expect(raws.map((bytes) => [isForeign('video', bytes), isForeign('photo', bytes)])).toEqual(
      raws.map(() => [true, false]),
    )
    expect([film, photo, heic, raw].map((bytes) => isForeign('video', bytes))).toEqual([
      false,
      true,
      true,
      true,
    ])
    expect([film, photo, heic, raw].map((bytes) => isForeign('photo', bytes))).toEqual([
      true,
      false,
      false,
      false,
    ])
    for (const picture of ['\x89PNG\r\n\x1a\n', 'GIF89a\x10\0', 'RIFF\0\0\0\x01WEBPVP8 ']) {
      expect(isForeign('photo', head(picture)), picture).toBe(false)
      expect(isForeign('video', head(picture)), picture).toBe(true)
    }
  })

  test.each<readonly [number, string, boolean, boolean]>([
    ...['PK\x03\x04', 'PK\x05\x06', '\x1f\x8b\x08', '7z\xbc\xaf\x27\x1c', 'Rar!\x1a\x07', '\xfd7zXZ\0'].map(
      both,
    ),
    ...[
      '\x28\xb5\x2f\xfd',
      '%PDF-',
      '\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1',
      'SQLite format 3\0',
      'fLaC',
      'ID3',
    ].map(both),
    ...['\x7fELF', '\xcf\xfa\xed\xfe', '\xce\xfa\xed\xfe', '\xca\xfe\xba\xbe', '\0asm\x01\0\0\0'].map(both),
    ...[[257, 'ustar', true, true] as const, [8, 'WAVEfmt ', true, true] as const],
    ...['\x89PNG\r\n\x1a\n', '\xff\xd8\xff', 'GIF87a', 'GIF89a', 'II\x2a\0', 'MM\0\x2a', 'FOVb', '\0MRM'].map(
      inFilms,
    ),
    ...['FUJIFILMCCD-RAW'].map(inFilms),
    ...[[8, 'WEBPVP8', true, false] as const, [6, 'HEAPCCDR', true, false] as const],
    ...['\x1a\x45\xdf\xa3', '\x30\x26\xb2\x75\x8e\x66\xcf\x11', 'FLV\x01', '\0\0\x01\xba'].map(inPhotos),
    [8, 'AVI LIST', false, true],
    ...['isom', 'iso2', 'mp41', 'mp42', 'avc1', 'qt  ', 'M4V ', '3gp4', '3gp5'].map(
      (brand) => [4, `ftyp${brand}`, false, true] as const,
    ),
    ...['heic', 'heix', 'heim', 'heis', 'mif1', 'mif2', 'avif', 'crx '].map(
      (brand) => [4, `ftyp${brand}`, true, false] as const,
    ),
    [4, 'ftyp????', false, false],
  ])(
    'byte %i on %j: foreign to films %s, to photos %s, and no more when its end is another',
    (at, mark, film, photo) => {
      const bytes = Buffer.alloc(300, 2)
      bytes.write(mark, at, 'latin1')
      const found = (of: Uint8Array) => [isForeign('video', of), isForeign('photo', of)]
      expect(found(bytes)).toEqual([film, photo])
      bytes[at + mark.length - 1] = 2
      expect(found(bytes)).toEqual([false, false])
    },
  )

  test('text in any script is a text, text with control bytes is not', () => {
    expect(isForeign('video', Buffer.from('<html>Füße 日本語</html>'))).toBe(true)
    expect(isForeign('video', Buffer.from('moov\0\0\0\x01'))).toBe(false)
    expect(isForeign('video', Buffer.alloc(0))).toBe(false)
    expect(isForeign('video', Buffer.from('a\tb\n\f\r~'))).toBe(true)
    expect([4, 3].map((length) => isForeign('video', head('\x7fELF').subarray(0, length)))).toEqual([
      true,
      false,
    ])
    for (const byte of ['\x7f', '\x1f', '\x0b', '\x08', '\0'])
      expect(isForeign('video', head(`words${byte}`))).toBe(false)
    // a character that the end of the head cuts is one, that the end of the file cuts is none
    const cut = (length: number) => Buffer.from(`${'a'.repeat(length - 1)}ü`).subarray(0, length)
    expect(isForeign('video', cut(SNIFF_BYTES))).toBe(true)
    expect(isForeign('video', cut(SNIFF_BYTES - 1))).toBe(false)
  })

  test('random bytes and zeros are never refused', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 200, maxLength: 400 }), (bytes) => {
        fc.pre(bytes.some((byte) => byte < 9))
        bytes.fill(0, 0, 16)
        expect(isForeign('video', bytes)).toBe(false)
      }),
    )
  })
})

describe('progress', () => {
  test('rises through the stages from 0 to 100', () => {
    const stages = [
      'queued',
      'fetch',
      'survey',
      'diagnose',
      'recover',
      'timeline',
      'write',
      'verify',
      'preview',
      'store',
      'done',
    ] as const
    const percents = stages.flatMap((stage) => [0, 0.5, 1].map((fraction) => overallPercent(stage, fraction)))
    expect(percents).toEqual([...percents].sort((a, b) => a - b))
    expect([percents[0], percents.at(-1)]).toEqual([0, 100])
    expect(overallPercent('recover', 7)).toBe(overallPercent('recover', 1))
    expect(overallPercent('recover', -7)).toBe(overallPercent('recover', 0))
    expect(overallPercent('fetch', 0.333)).toBe(1)
  })

  test('of what waits and runs is the same to the page', () => {
    const states = ['queued', 'running', 'completed', 'failed', 'cancelled'] as const
    expect(states.map(progressStatus)).toEqual(['Running', 'Running', 'Completed', 'Failed', 'Failed'])
  })

  test('the third repair in vain within an hour waits, and each further one twice as long, ten minutes at most', () => {
    expect([0, 1, 2, 3, 4, 7, 8, 9, 99].map(waitAfter)).toEqual([0, 0, 15, 30, 60, 480, 600, 600, 600])
  })
})

test('room is what is free beyond the reserve, and uploads to a store elsewhere take none', async () => {
  const context = (kind: string, free: number) =>
    ({
      space: { free: async () => free },
      config: { diskReserveBytes: 100 },
      storage: { kind },
    }) as unknown as Context
  expect(await hasSpace(context('folder', 100))).toBe(true)
  expect(await hasSpace(context('folder', 99))).toBe(false)
  expect([await hasSpace(context('s3', 105), 5), await hasSpace(context('s3', 105), 6)]).toEqual([
    true,
    false,
  ])
  await expect(checkUploadSpace(context('folder', 105), 6)).rejects.toMatchObject({
    code: 'server.storage-full',
  })
  await checkUploadSpace(context('folder', 105), 5)
  await checkUploadSpace(context('s3', 105), 6)
})

describe('letters', () => {
  test.each(MAIL_KINDS)('"%s" says the same in text and HTML, and nothing of a name runs', (kind) => {
    const facts = {
      site: 'https://m.example',
      token: 'the-token',
      fileName: '<script>alert(1)</script>.mp4',
      fileUrl: 'https://m.example/admin/dashboard',
      keepHours: 3,
      answer: 'a < b',
      attached: true,
    }
    const letter = LETTERS[kind](facts)
    const mail = compose('a@b.c', letter)
    expect(mail.subject).not.toBe('')
    expect(mail.html).not.toContain('<script>')
    expect(mail.html).not.toMatch(/src=|url\(/)
    if (letter.action) {
      expect(mail.text).toContain(letter.action.url)
      expect(mail.html).toContain(letter.action.url)
    }
    for (const words of letter.paragraphs) expect(mail.text).toContain(words)
  })

  test('a result in part is not said to have less than was recorded: it may be in doubt alone, or a photo', () => {
    const told = LETTERS['repair-ready']({ site: '', partial: true, fileName: 'a.jpg' }).paragraphs.join(' ')
    expect(told).toContain('what is missing or uncertain')
    expect(told).not.toMatch(/plays|watch/)
  })

  test('the strip shows each stretch as the worst in it and fills the whole', () => {
    const track = {
      id: 1,
      kind: 'video',
      codec: 'avc1',
      recovered: 1,
      damaged: 0,
      lost: 0,
      duration: 10,
      times: 'exact',
    }
    const ranges = [
      { start: 0, end: 5, state: 'recovered' },
      { start: 5, end: 6, state: 'lost' },
      { start: 6, end: 10, state: 'recovered' },
    ]
    const report = {
      engine: 'x',
      kind: 'recording',
      verdict: 'partial' as const,
      format: 'isobmff',
      findings: [],
      omittedFindings: 0,
      strategies: [],
      seconds: 1,
      pictures: [],
      tracks: [{ ...track, ranges }],
    }
    const strip = stripOf(report)
    expect(strip.map((piece) => piece.state)).toEqual(['recovered', 'lost', 'recovered'])
    expect(strip.reduce((sum, piece) => sum + piece.share, 0)).toBeCloseTo(1)
    expect(stripOf({ ...report, tracks: [] })).toEqual([])
    expect(compose('a@b.c', { ...LETTERS['repair-ready']({ site: '', strip }), strip }).html).toContain(
      'role="img"',
    )
  })
})

test('every object that a repair`s row can name goes with it', () => {
  const columns = Object.keys(getTableColumns(repairs))
  const named = columns.filter((column) => column.endsWith('Key'))
  const row = Object.fromEntries(named.map((column) => [column, column])) as unknown as RepairRow
  expect(named).toContain('resultKey')
  expect(keysMade(row).toSorted()).toEqual(named.toSorted())
})
