import type { MetaDescriptor } from 'react-router'
import { brand } from '../brand/brand.ts'

/** A question and its answer, a string per paragraph. */
export interface Question {
  readonly question: string
  readonly answer: readonly string[]
}

export interface PageDescription {
  readonly title: string
  readonly description: string
  readonly keywords: readonly string[]
  /** Path of the page and of the picture that is shown where the page is shared. */
  readonly path: string
  readonly picture: string
  readonly pictureText: string
  readonly questions: readonly Question[]
}

/** schema.org FAQPage of questions and their answers. */
export function faqData(questions: readonly Question[]) {
  return {
    '@context': 'https://schema.org',
    '@type': 'FAQPage',
    mainEntity: questions.map(({ question, answer }) => ({
      '@type': 'Question',
      name: question,
      acceptedAnswer: { '@type': 'Answer', text: answer.join(' ') },
    })),
  }
}

/**
 * What search engines and messengers read of a page. Addresses are below `origin`; they stay relative while the
 * operator has not named a public address.
 */
export function pageMeta(page: PageDescription, origin = ''): MetaDescriptor[] {
  const url = `${origin}${page.path}`
  const picture = `${origin}${page.picture}`
  return [
    { title: page.title },
    { name: 'description', content: page.description },
    { name: 'keywords', content: page.keywords.join(', ') },
    { name: 'robots', content: 'index, follow' },
    { property: 'og:type', content: 'website' },
    { property: 'og:site_name', content: brand.name },
    { property: 'og:title', content: page.title },
    { property: 'og:description', content: page.description },
    { property: 'og:url', content: url },
    { property: 'og:image', content: picture },
    { property: 'og:image:alt', content: page.pictureText },
    { property: 'og:image:width', content: '1200' },
    { property: 'og:image:height', content: '630' },
    { name: 'twitter:card', content: 'summary_large_image' },
    ...(origin === '' ? [] : [{ tagName: 'link', rel: 'canonical', href: url }]),
    { 'script:ld+json': faqData(page.questions) },
  ]
}
