/** An outside link of the operator: a path below `brand.site`, or a whole address. */
export interface BrandLink {
  readonly label: string
  readonly path: string
}

export interface BrandLinkGroup {
  readonly title: string
  readonly links: readonly BrandLink[]
}

export interface Brand {
  readonly name: string
  readonly tagline: string
  /** Base address of the operator's own site; every relative path below is under it. */
  readonly site: string
  readonly supportEmail: string
  readonly copyrightYear: number
  /** Lines of a postal address; none are shown where there are none. */
  readonly address: readonly string[]
  /** Certificates that are held; none are shown where there are none. */
  readonly badges: readonly { readonly title: string; readonly note: string }[]
  readonly groups: readonly BrandLinkGroup[]
  readonly social: readonly { readonly network: SocialNetwork; readonly path: string }[]
  readonly desktop: { readonly name: string; readonly mac: string; readonly windows: string }
  readonly terms: string
  readonly privacy: string
}

export type SocialNetwork = 'Facebook' | 'X' | 'LinkedIn' | 'YouTube'

/** Everything that names the operator. Edit this file to put your own name on the product. */
export const brand: Brand = {
  name: 'Mendframe',
  tagline: 'Careful repair for broken video and photos',
  site: 'https://www.example.com',
  supportEmail: 'support@example.com',
  copyrightYear: 2025,
  address: [],
  badges: [],
  groups: [
    {
      title: 'About',
      links: [
        { label: 'About us', path: '/about' },
        { label: 'Career', path: '/career' },
        { label: 'Privacy policy', path: '/privacy-policy' },
        { label: 'Terms of use', path: '/terms-of-use' },
        { label: 'License policy', path: '/license-policy' },
        { label: 'End user license agreement', path: '/eula' },
      ],
    },
    {
      title: 'Resources',
      links: [
        { label: 'Blog', path: '/blog' },
        { label: 'Articles', path: '/articles' },
        { label: 'Videos', path: '/videos' },
        { label: 'Knowledge base', path: '/kb' },
        { label: 'Case studies', path: '/case-studies' },
        { label: 'Whitepapers', path: '/whitepapers' },
        { label: 'Software catalog', path: '/software-catalog' },
      ],
    },
    {
      title: 'News & Events',
      links: [
        { label: 'News', path: '/news' },
        { label: 'Events', path: '/events' },
      ],
    },
    {
      title: 'Partners',
      links: [
        { label: 'Affiliates', path: '/affiliates' },
        { label: 'Resellers', path: '/resellers' },
        { label: 'Distributors', path: '/distributors' },
      ],
    },
    {
      title: 'Useful Links',
      links: [
        { label: 'Contact', path: '/contact' },
        { label: 'Support', path: '/support' },
        { label: 'Student discount', path: '/student-discount' },
        { label: 'Special offers', path: '/special-offers' },
        { label: 'Awards and reviews', path: '/awards-and-reviews' },
        { label: 'Store', path: '/store' },
        { label: 'Sitemap', path: '/sitemap' },
      ],
    },
  ],
  social: [
    { network: 'Facebook', path: '/social/facebook' },
    { network: 'X', path: '/social/x' },
    { network: 'LinkedIn', path: '/social/linkedin' },
    { network: 'YouTube', path: '/social/youtube' },
  ],
  desktop: {
    name: 'Mendframe Desktop',
    mac: '/desktop/mac',
    windows: '/desktop/windows',
  },
  terms: '/terms-of-use',
  privacy: '/privacy-policy',
}

/** The full address of a path of the brand file; whole addresses are left as they are. */
export function brandUrl(path: string): string {
  return /^[a-z]+:/i.test(path) ? path : `${brand.site}${path}`
}
