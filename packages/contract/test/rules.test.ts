import { describe, expect, test } from 'vitest'
import {
  COUNTRIES,
  checkExtension,
  checkSample,
  checkSize,
  ERROR_CODES,
  errorStatus,
  errorText,
  extensionOfName,
  fill,
  findPack,
  formatOrdinalDate,
  formatPrice,
  isAboveFreeSize,
  isEmail,
  MAX_VIDEO_BYTES,
  MEBIBYTE,
  PACKS,
  parseOrdinalDate,
  planExpiry,
  previewWaitSeconds,
  seal,
  shownMegabytes,
  TEXTS,
  unseal,
  VIDEO_EXTENSIONS,
  wholeMegabytes,
} from '../src/index.ts'

describe('sizes', () => {
  test('a file is over the Free size when its whole MB are above 100', () => {
    expect(isAboveFreeSize('video', 101 * MEBIBYTE - 1)).toBe(false)
    expect(isAboveFreeSize('video', 101 * MEBIBYTE)).toBe(true)
    expect(isAboveFreeSize('photo', 21 * MEBIBYTE - 1)).toBe(false)
    expect(isAboveFreeSize('photo', 21 * MEBIBYTE)).toBe(true)
  })

  test('the size shown is cut, so that its whole part obeys the same rule', () => {
    const bytes = 101 * MEBIBYTE - 1
    expect(shownMegabytes(bytes)).toBe(100.99)
    expect(Math.floor(shownMegabytes(bytes))).toBe(wholeMegabytes(bytes))
  })

  test('exactly 5368709120 bytes are taken and one more is refused', () => {
    expect(MAX_VIDEO_BYTES).toBe(5 * 1024 ** 3)
    expect(checkSize('video', MAX_VIDEO_BYTES)).toBeUndefined()
    expect(checkSize('video', MAX_VIDEO_BYTES + 1)).toBe('upload.too-large')
  })

  test('the wait for a preview grows with the size as specified', () => {
    const waits = [49, 50, 99, 100, 200, 300, 400, 500, 599, 600].map((mb) =>
      previewWaitSeconds(mb * MEBIBYTE),
    )
    expect(waits).toEqual([80, 100, 100, 150, 200, 250, 300, 330, 330, 350])
  })
})

describe('extensions', () => {
  test('there are 17, taken in any case, with or without their dot', () => {
    expect(VIDEO_EXTENSIONS).toHaveLength(17)
    for (const extension of VIDEO_EXTENSIONS) {
      expect(checkExtension('video', extension)).toBeUndefined()
      expect(checkExtension('video', `.${extension.toUpperCase()}`)).toBeUndefined()
    }
    expect(checkExtension('video', 'exe')).toBe('upload.unsupported-format')
    expect(checkExtension('video', '')).toBe('upload.unsupported-format')
    expect(extensionOfName('holiday.tar.MP4')).toBe('mp4')
    expect(extensionOfName('holiday')).toBe('')
  })
})

describe('samples', () => {
  const good = {
    product: 'video',
    damagedName: 'a.mp4',
    damagedExtension: 'mp4',
    sampleName: 'b.MP4',
    sampleExtension: '.MP4',
    sampleBytes: 1,
  } as const

  test('a sample of the same kind and another name passes', () => {
    expect(checkSample(good)).toBeUndefined()
  })

  test('extension, name and size are checked in this order', () => {
    const bad = { ...good, sampleExtension: 'mov', sampleName: 'a.mp4', sampleBytes: MAX_VIDEO_BYTES + 1 }
    expect(checkSample(bad)).toBe('sample.wrong-extension')
    expect(checkSample({ ...bad, sampleExtension: 'mp4' })).toBe('sample.same-file')
    expect(checkSample({ ...bad, sampleExtension: 'mp4', sampleName: 'b.mp4' })).toBe('sample.too-large')
    expect(fill(TEXTS.sampleWrongExtension, { ext: '.mp4' })).toBe(
      'Invalid File Type. Please upload a video file with the .mp4 extension.',
    )
  })
})

describe('plans', () => {
  test('packs and prices are those of the specification', () => {
    const prices = (product: string) =>
      PACKS.filter((pack) => pack.product === product).map((pack) => [
        pack.count,
        pack.subscription,
        formatPrice(pack.price),
      ])
    expect(prices('video')).toEqual([
      [10, 'Monthly', '$9.99'],
      [25, 'Monthly', '$19.99'],
      [50, 'Monthly', '$39.99'],
      [100, 'Monthly', '$69.99'],
      [200, 'Yearly', '$59.99'],
    ])
    expect(prices('photo')).toEqual([
      [10, 'Monthly', '$9.99'],
      [50, 'Monthly', '$19.99'],
      [100, 'Monthly', '$24.99'],
      [200, 'Monthly', '$29.99'],
      [500, 'Monthly', '$49.99'],
    ])
    expect(findPack('video-200-yearly')).toMatchObject({ regularPrice: 11900, label: '50% OFF' })
    expect(new Set(PACKS.map((pack) => pack.id)).size).toBe(PACKS.length)
    expect(PACKS.filter((pack) => pack.preselected).map((pack) => pack.id)).toEqual([
      'video-10-monthly',
      'photo-10-monthly',
    ])
  })

  test('a plan ends at the start of the UTC day 30 days or a year after the purchase', () => {
    const bought = new Date('2026-01-31T23:30:00Z')
    expect(planExpiry(bought, 'Monthly').toISOString()).toBe('2026-03-02T00:00:00.000Z')
    expect(planExpiry(bought, 'Yearly').toISOString()).toBe('2027-01-31T00:00:00.000Z')
  })

  test('dates with an ordinal are written and read alike', () => {
    const written = [1, 2, 3, 4, 11, 12, 13, 21, 22, 23, 31].map((day) =>
      formatOrdinalDate(new Date(Date.UTC(2026, 0, day))),
    )
    expect(written.map((text) => text.split(' ')[0])).toEqual([
      '1st',
      '2nd',
      '3rd',
      '4th',
      '11th',
      '12th',
      '13th',
      '21st',
      '22nd',
      '23rd',
      '31st',
    ])
    for (const text of written) expect(formatOrdinalDate(parseOrdinalDate(text) ?? new Date(0))).toBe(text)
    expect(parseOrdinalDate('31st February 2026')).toBeUndefined()
  })
})

describe('identity', () => {
  test('what is sealed opens again and differs each time', async () => {
    const email = 'zoë@example.com'
    const first = await seal(email, globalThis.crypto)
    expect(first).not.toBe(await seal(email, globalThis.crypto))
    expect(first).not.toContain('example')
    expect(await unseal(first, globalThis.crypto)).toBe(email)
  })

  test('anything altered or foreign does not open', async () => {
    const sealed = await seal('a@example.com', globalThis.crypto)
    const altered = sealed.slice(0, -3) + (sealed.endsWith('AAA') ? 'BBB' : 'AAA')
    expect(await unseal(altered, globalThis.crypto)).toBeUndefined()
    expect(await unseal('mfi1.', globalThis.crypto)).toBeUndefined()
    expect(await unseal('mfi1.%%%', globalThis.crypto)).toBeUndefined()
    expect(await unseal('plain', globalThis.crypto)).toBeUndefined()
  })
})

test('every failure has a fitting status and a text', () => {
  for (const code of ERROR_CODES) {
    expect([400, 401, 402, 403, 404, 409, 413, 415, 416, 422, 429, 500, 503, 507]).toContain(
      errorStatus(code),
    )
    expect(errorText(code)).not.toBe('')
  }
})

test('an email is text, @, text, dot, text', () => {
  expect(isEmail('a@b.c')).toBe(true)
  for (const text of ['', 'a', 'a@b', '@b.c', 'a b@c.d', `${'x'.repeat(300)}@b.c`])
    expect(isEmail(text)).toBe(false)
})

test('the dropdown holds 53 countries', () => {
  expect(COUNTRIES).toHaveLength(53)
  expect(new Set(COUNTRIES).size).toBe(53)
})
