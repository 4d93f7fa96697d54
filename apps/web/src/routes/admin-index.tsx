import { Navigate } from 'react-router'

/** The signed-in area has one page of its own. */
export default function AdminIndex() {
  return <Navigate to="/admin/dashboard" replace />
}
