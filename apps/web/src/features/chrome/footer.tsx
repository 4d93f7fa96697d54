import { ChevronDown } from 'lucide-react'
import { Link } from 'react-router'
import { type BrandLinkGroup, brand, brandUrl } from '../../shared/brand/brand.ts'
import { Logo } from '../../shared/ui/logo.tsx'
import { SocialIcon } from './social-icon.tsx'

const LINK = 'block py-1.5 text-small text-ink-soft no-underline hover:text-ink hover:underline'

function Links({ group }: { readonly group: BrandLinkGroup }) {
  return (
    <ul>
      {group.links.map((link) => (
        <li key={link.path}>
          <a href={brandUrl(link.path)} className={LINK}>
            {link.label}
          </a>
        </li>
      ))}
    </ul>
  )
}

/** The shared footer. On a phone each group of links folds away. */
export function Footer() {
  return (
    <footer className="film mt-auto border-t border-mist">
      <div className="page pt-14 pb-10">
        <div className="grid gap-10 lg:grid-cols-[minmax(15rem,1fr)_3fr]">
          <div>
            <Logo />
            <p className="mt-4 max-w-[28ch] text-small text-ink-soft">{brand.tagline}</p>
            <ul className="mt-4">
              <li>
                <Link to="/" className={LINK}>
                  Video repair
                </Link>
              </li>
              <li>
                <Link to="/photo/" className={LINK}>
                  Photo repair
                </Link>
              </li>
            </ul>
            <address className="mt-5 text-small text-ink-soft not-italic">
              {brand.address.map((line) => (
                <span key={line} className="block">
                  {line}
                </span>
              ))}
              <a href={`mailto:${brand.supportEmail}`} className="inline-link mt-2 inline-block py-1">
                {brand.supportEmail}
              </a>
            </address>
          </div>
          <div className="sm:hidden">
            {brand.groups.map((group) => (
              <details key={group.title} className="group border-b border-mist">
                <summary className="flex min-h-13 items-center justify-between font-semibold">
                  {group.title}
                  <ChevronDown aria-hidden size={20} className="transition-transform group-open:rotate-180" />
                </summary>
                <div className="pb-4">
                  <Links group={group} />
                </div>
              </details>
            ))}
          </div>
          <div className="hidden grid-cols-3 gap-8 sm:grid lg:grid-cols-5">
            {brand.groups.map((group) => (
              <section key={group.title} aria-label={group.title}>
                <p className="mb-2 font-semibold">{group.title}</p>
                <Links group={group} />
              </section>
            ))}
          </div>
        </div>
        <div className="mt-12 flex flex-wrap items-center justify-between gap-x-10 gap-y-6 border-t border-mist pt-7">
          {brand.badges.length > 0 ? (
            <ul className="flex flex-wrap gap-x-8 gap-y-3" aria-label="Certifications">
              {brand.badges.map((badge) => (
                <li key={badge.title} className="border-l-2 border-seam pl-3 text-tiny">
                  <span className="block font-semibold">{badge.title}</span>
                  <span className="text-ink-soft">{badge.note}</span>
                </li>
              ))}
            </ul>
          ) : null}
          <ul className="flex gap-1" aria-label="Social networks">
            {brand.social.map(({ network, path }) => (
              <li key={network}>
                <a
                  href={brandUrl(path)}
                  aria-label={network}
                  className="grid size-11 place-items-center rounded-sm text-ink-soft hover:bg-glaze hover:text-ink"
                >
                  <SocialIcon network={network} />
                </a>
              </li>
            ))}
          </ul>
          <p className="w-full text-tiny text-ink-soft">
            Copyright © {brand.copyrightYear} {brand.name}. All rights reserved.
          </p>
        </div>
      </div>
    </footer>
  )
}
