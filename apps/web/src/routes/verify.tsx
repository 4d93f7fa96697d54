import { VerifyPage } from '../app/verify-page.tsx'
import { brand } from '../shared/brand/brand.ts'

export function meta() {
  return [{ title: `Verify your email · ${brand.name}` }, { name: 'robots', content: 'noindex' }]
}

export default function VerifyRoute() {
  return <VerifyPage />
}
