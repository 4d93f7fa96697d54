import { Outlet } from 'react-router'
import { AdminArea } from '../app/admin-area.tsx'

/** Everything under /admin. */
export default function AdminLayout() {
  return (
    <AdminArea product="video">
      <Outlet />
    </AdminArea>
  )
}
