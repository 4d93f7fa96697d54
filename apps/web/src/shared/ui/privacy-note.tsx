import { brand, brandUrl } from '../brand/brand.ts'

/** Whose the files stay and what becomes of them; `what` they are. */
export function PrivacyNote({ what }: { readonly what: 'files' | 'photos' }) {
  return (
    <p>
      Your {what} stay yours and are deleted automatically. Read our{' '}
      <a className="inline-link" href={brandUrl(brand.privacy)}>
        privacy policy
      </a>
      .
    </p>
  )
}
