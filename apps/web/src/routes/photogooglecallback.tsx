import { ProviderReturnPage } from '../app/provider-return-page.tsx'
import { brand } from '../shared/brand/brand.ts'

export function meta() {
  return [{ title: `Signing in · ${brand.name}` }, { name: 'robots', content: 'noindex' }]
}

export default function Return() {
  return <ProviderReturnPage provider="google" product="photo" />
}
