import { AccountGate } from '../app/account-gate.tsx'
import { DashboardPage } from '../app/dashboard-page.tsx'
import { brand } from '../shared/brand/brand.ts'

export function meta() {
  return [{ title: `Your account · ${brand.name}` }, { name: 'robots', content: 'noindex' }]
}

export default function PhotoDashboardRoute() {
  return <AccountGate product="photo">{(user) => <DashboardPage product="photo" user={user} />}</AccountGate>
}
