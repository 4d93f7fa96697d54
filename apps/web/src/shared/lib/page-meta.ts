import type { MetaDescriptor } from 'react-router'
import { brand } from '../brand/brand.ts'

export interface PageDescription {
  readonly title: string
  readonly description: string
  readonly keywords: readonly string[]
  /** Path of the page and of the picture that is shown where the page is shared. */
  readonly path: string
  readonly picture: string
  readonly pictureText: string
}

/** Public address of the site, named at build time (`VITE_PUBLIC_URL=https://mend.example.com`). */
const publicUrl: string = import.meta.env?.VITE_PUBLIC_URL ?? ''

/**
 * What search engines and messengers read of a page. Addresses are below `origin`; they stay relative while the
 * operator has not named a public address.
 */
export function pageMeta(page: PageDescription, origin: string = publicUrl): MetaDescriptor[] {
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
  ]
}
