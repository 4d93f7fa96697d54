import { Outlet } from 'react-router'
import { AdminArea } from '../app/admin-area.tsx'
import '../shared/ui/compare-slider.css'

/** The photo app: guests are sent to the landing page. */
export default function PhotoAppLayout() {
  return (
    <AdminArea product="photo">
      <Outlet />
    </AdminArea>
  )
}
