import { describe, expect, it } from 'vitest'
import { PAGE as VIDEO } from '../../src/features/landing/page.ts'
import { PAGE as PHOTO } from '../../src/features/photo-landing/page.ts'
import { pageMeta } from '../../src/shared/lib/page-meta.ts'
import { faqData } from '../../src/shared/lib/questions.ts'

describe.each([
  ['video', VIDEO],
  ['photo', PHOTO],
])('the announcement of the %s page', (_name, page) => {
  it('fits where search engines show it', () => {
    expect(page.title.length).toBeLessThanOrEqual(65)
    expect(page.description.length).toBeLessThanOrEqual(160)
  })

  it('names title, description, keywords and robots', () => {
    const tags = pageMeta(page)
    expect(tags).toContainEqual({ title: page.title })
    expect(tags).toContainEqual({ name: 'description', content: page.description })
    expect(tags).toContainEqual({ name: 'keywords', content: page.keywords.join(', ') })
    expect(tags).toContainEqual({ name: 'robots', content: 'index, follow' })
  })

  it('makes its addresses absolute below a public address', () => {
    const tags = pageMeta(page, 'https://mend.example.com')
    const url = `https://mend.example.com${page.path}`
    expect(tags).toContainEqual({ tagName: 'link', rel: 'canonical', href: url })
    expect(tags).toContainEqual({ property: 'og:url', content: url })
    expect(tags).toContainEqual({ property: 'og:image', content: `https://mend.example.com${page.picture}` })
  })

  it('claims no canonical address while none is known', () => {
    expect(pageMeta(page, '').some((tag) => 'rel' in tag)).toBe(false)
  })
})

describe('questions as data', () => {
  it('keep their order and join the paragraphs of an answer', () => {
    const data = faqData([
      { question: 'One?', answer: ['Yes.', 'Always.'] },
      { question: 'Two?', answer: ['No.'] },
    ])
    expect(data['@type']).toBe('FAQPage')
    expect(data.mainEntity.map(({ name, acceptedAnswer }) => [name, acceptedAnswer.text])).toEqual([
      ['One?', 'Yes. Always.'],
      ['Two?', 'No.'],
    ])
  })
})
