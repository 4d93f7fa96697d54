import { ResetPage } from '../app/reset-page.tsx'
import { brand } from '../shared/brand/brand.ts'

export function meta() {
  return [{ title: `Set a new password · ${brand.name}` }, { name: 'robots', content: 'noindex' }]
}

export default function ResetRoute() {
  return <ResetPage />
}
