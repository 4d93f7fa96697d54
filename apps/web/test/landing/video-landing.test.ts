import { statSync } from 'node:fs'
import { VIDEO_EXTENSIONS } from '@mendframe/contract'
import { describe, expect, it } from 'vitest'
import * as content from '../../src/features/landing/content.ts'
import { PAGE } from '../../src/features/landing/page.ts'
import { OFFERS, ROWS } from '../../src/features/landing/plans-content.ts'

describe('the video landing page', () => {
  it('lists every supported extension exactly once', () => {
    const listed = content.FAMILIES.flatMap(({ extensions }) => extensions)
    expect(listed.toSorted()).toEqual([...VIDEO_EXTENSIONS].sort())
  })

  it('shows three steps, six scenarios and eight questions', () => {
    expect(content.STEPS.map(({ title }) => title)).toEqual([
      'Upload a corrupt video',
      'Get it repaired',
      'Preview and save',
    ])
    expect(content.SCENARIOS.map(({ title }) => title)).toEqual([
      'Corrupted',
      'Glitch',
      'Blurry',
      'Slow playback',
      'Unplayable',
      'Flickering',
    ])
    expect(content.QUESTIONS).toHaveLength(8)
  })

  it('says in the specified words that there is no refund', () => {
    const refund = content.QUESTIONS.find(({ question }) => question.includes('refund'))
    expect(refund?.answer[0]).toBe('No, this service is non-refundable.')
  })

  it('offers the monthly pack first and the yearly one with its struck-through price', () => {
    expect(OFFERS).toMatchObject([
      { label: 'Monthly', price: '$9.99', period: '/mo', regularPrice: undefined },
      { label: 'Yearly', price: '$59.99', period: '/yr', regularPrice: '$119', note: '50% OFF' },
    ])
  })

  it('compares the limits of the plans', () => {
    const row = (label: string) => ROWS.find((each) => each.label === label)
    expect(row('Repairs')).toMatchObject({
      free: '1 video',
      premium: ['10 files a month', '200 files a year'],
    })
    expect(row('Full result')).toMatchObject({ free: 'Up to 100 MB', premium: 'Up to 5 GB' })
    expect(row('Kept for you')).toMatchObject({ free: '3 hours', premium: '24 hours' })
  })

  it('gives every offer its own text where a row depends on the offer', () => {
    for (const { premium } of ROWS)
      if (typeof premium !== 'string') expect(premium).toHaveLength(OFFERS.length)
  })

  it('never raises its voice', () => {
    expect(JSON.stringify([content, PAGE, ROWS])).not.toContain('!')
  })
})

it('the repaired film of the hero weighs no more than a megabyte, with its poster', () => {
  const sizeOf = (name: string) =>
    statSync(new URL(`../../src/features/repair/hero/${name}`, import.meta.url)).size
  expect(sizeOf('demonstration.mp4') + sizeOf('demonstration.jpg')).toBeLessThan(1_000_000)
})
