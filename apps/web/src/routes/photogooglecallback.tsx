import { ProviderReturnPage } from '../app/provider-return-page.tsx'

export default function Return() {
  return <ProviderReturnPage provider="google" product="photo" />
}
