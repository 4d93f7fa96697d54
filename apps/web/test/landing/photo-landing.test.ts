import { PACKS, PHOTO_EXTENSIONS } from '@mendframe/contract'
import { describe, expect, it } from 'vitest'
import * as content from '../../src/features/photo-landing/content.ts'
import { PAGE } from '../../src/features/photo-landing/page.ts'
import { PICTURES } from '../../src/features/photo-landing/pictures.ts'
import { OFFERS, ROWS, SHOWN_OFFER } from '../../src/features/photo-landing/plans-content.ts'

describe('the photo landing page', () => {
  it('lists every supported extension exactly once', () => {
    const listed = content.FORMATS.flatMap(({ extensions }) => extensions)
    expect(listed.toSorted()).toEqual([...PHOTO_EXTENSIONS].sort())
  })

  it('names a maker for every raw format, and no format that is not supported', () => {
    const raw = content.FORMATS.find(({ name }) => name === 'Camera raw')?.extensions ?? []
    const named = new Set<string>(content.MAKERS.flatMap(({ extensions }) => extensions))
    expect(raw.filter((extension) => !named.has(extension))).toEqual([])
    expect(
      [...named].filter(
        (extension) => !content.FORMATS.some(({ extensions }) => extensions.some((e) => e === extension)),
      ),
    ).toEqual([])
  })

  it('explains three steps, six kinds of damage and seven questions', () => {
    expect(content.STEPS.map(({ title }) => title)).toEqual(['Upload', 'Automatic Repair', 'Preview & Save'])
    expect(content.COMPARISONS.map(({ title }) => title)).toEqual([
      'Blurry photos',
      'Pixelated pictures',
      'Photos not opening',
      'Greyed-out images',
      'Corrupt images',
      'Colour fading',
    ])
    expect(content.QUESTIONS).toHaveLength(7)
  })

  it('has a whole picture for every kind of damage, and a damaged one unless nothing is shown', () => {
    const without = content.COMPARISONS.filter(({ kind }) => PICTURES[kind].damaged === undefined)
    expect(without.map(({ kind }) => kind)).toEqual(['not-opening'])
    const files = Object.values(PICTURES).flatMap(({ whole, damaged }) => [
      whole.full,
      whole.small,
      damaged?.full,
      damaged?.small,
    ])
    const shown = files.filter((file) => file !== undefined)
    expect(new Set(shown).size).toBe(shown.length)
  })

  it('shows the pack of 50 files first, among all packs that are sold', () => {
    expect(OFFERS.map(({ label }) => label)).toEqual(['10', '50', '100', '200', '500'])
    expect(OFFERS).toHaveLength(PACKS.filter(({ product }) => product === 'photo').length)
    expect(OFFERS[SHOWN_OFFER]).toMatchObject({ label: '50', price: '$19.99', period: '/mo' })
  })

  it('compares the limits of the plans', () => {
    const row = (label: string) => ROWS.find((each) => each.label === label)
    expect(row('Repairs')?.free).toBe('3 photos')
    expect(row('Formats')?.free).toBe('JPG, JPEG')
    expect(row('Size of a photo')).toMatchObject({ free: 'Up to 20 MB', premium: 'Up to 500 MB' })
    for (const { premium } of ROWS)
      if (typeof premium !== 'string') expect(premium).toHaveLength(OFFERS.length)
  })

  it('never raises its voice', () => {
    expect(JSON.stringify([content, PAGE, ROWS])).not.toContain('!')
  })
})
