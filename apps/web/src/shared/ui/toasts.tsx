import { useEffect } from 'react'
import { ToastContainer, toast } from 'react-toastify/unstyled'
import 'react-toastify/ReactToastify.css'
import './toasts.css'
import { connectToasts, type Notice } from '../notify/notify.ts'

function Message({ notice }: { readonly notice: Notice }) {
  return (
    <div>
      {notice.title ? <p className="font-semibold">{notice.title}</p> : null}
      <p>{notice.text}</p>
    </div>
  )
}

function showToast(notice: Notice): void {
  // The same message twice at once helps nobody.
  toast[notice.kind](<Message notice={notice} />, {
    toastId: `${notice.kind} ${notice.title ?? ''} ${notice.text}`,
  })
}

/** Toasts: top right, 5 s, pausing on hover and focus loss, dragged away at 80 percent, light, 12 px apart. */
export function Toasts() {
  useEffect(() => connectToasts(showToast), [])
  return (
    <ToastContainer
      position="top-right"
      autoClose={5000}
      hideProgressBar={false}
      newestOnTop={false}
      closeOnClick
      pauseOnHover
      pauseOnFocusLoss
      draggable
      draggablePercent={80}
      theme="light"
      limit={4}
    />
  )
}
