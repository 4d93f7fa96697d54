import { AccountGate } from '../app/account-gate.tsx'
import { DashboardPage } from '../app/dashboard-page.tsx'
import { brand } from '../shared/brand/brand.ts'

export function meta() {
  return [{ title: `Your account · ${brand.name}` }, { name: 'robots', content: 'noindex' }]
}

export default function DashboardRoute() {
  return <AccountGate product="video">{(user) => <DashboardPage product="video" user={user} />}</AccountGate>
}
