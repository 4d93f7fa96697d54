import { describe, expect, it } from 'vitest'
import { destinationAfter } from '../../src/features/auth/after-sign-in.ts'
import { signInErrorInWords } from '../../src/features/auth/sign-in-errors.ts'
import { pricingWords } from '../../src/features/billing/pricing-words.ts'

describe('after signing in', () => {
  it('video goes to the start page, or stays where it was asked to', () => {
    expect(destinationAfter('video', 'email')).toBe('/')
    expect(destinationAfter('video', 'google')).toBe('/')
    expect(destinationAfter('video', 'email', 'same')).toBe('reload')
  })

  it('video by Apple goes to the dashboard, photo to the photo app', () => {
    expect(destinationAfter('video', 'apple')).toBe('/admin/dashboard')
    expect(destinationAfter('photo', 'email')).toBe('/photo/app')
  })

  it('goes to the page that was asked for before anything else', () => {
    expect(destinationAfter('photo', 'email', undefined, '/photo/app?u=1')).toBe('/photo/app?u=1')
    expect(destinationAfter('video', 'apple', 'same', '/?pack=x')).toBe('/?pack=x')
  })

  it('a failure is told in plain words, an unknown one too', () => {
    expect(signInErrorInWords('auth.state-invalid')).toContain('too long')
    expect(signInErrorInWords('<script>')).toBe(signInErrorInWords(null))
  })
})

describe('the pricing dialog', () => {
  it('tells Premium users that their repairs are used up', () => {
    expect(pricingWords('video', 'Premium', 'exhausted')).toEqual({
      title: 'You are using Premium Account for Video Repair Features',
      text: 'Your repair count has been exhausted. Upgrade your plan to continue repairing videos.',
    })
    expect(pricingWords('photo', 'Premium', 'exhausted').text).toContain('photos')
  })

  it('tells Premium users who only look what they have', () => {
    expect(pricingWords('video', 'Premium', 'upgrade').title).toBe('You are using Premium Account')
  })

  it('tells Free users that their file is too large for the full result', () => {
    expect(pricingWords('video', 'Free', 'exceeded').text).toBe(
      'Your video size is more than 100MB. Free version has exceeded the size limit.',
    )
    expect(pricingWords('photo', 'Free', 'exceeded').text).toBe(
      'Your photo size is more than 20MB. Free version has exceeded the size limit.',
    )
  })
})
