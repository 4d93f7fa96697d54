import { FILES, MAX_NOTE_LENGTH, TEXTS } from '@mendframe/contract'
import { type FormEvent, useId, useState } from 'react'
import { useDispatch } from 'react-redux'
import { baseApi } from '../../../shared/api/base-api.ts'
import { call } from '../../../shared/api/call.ts'
import { ApiFailure } from '../../../shared/api/failure.ts'
import { notify } from '../../../shared/notify/notify.ts'
import { Button } from '../../../shared/ui/button.tsx'
import { Dialog } from '../../../shared/ui/dialog.tsx'

interface ManualRepairDialogProps {
  readonly timestamp: string
  readonly fileName: string
  readonly open: boolean
  readonly onClose: () => void
  readonly onClosed: () => void
}

/** Asks a person to look at a file. */
export function ManualRepairDialog({
  timestamp,
  fileName,
  open,
  onClose,
  onClosed,
}: ManualRepairDialogProps) {
  const [note, setNote] = useState('')
  const [busy, setBusy] = useState(false)
  const dispatch = useDispatch()
  const id = useId()

  const send = async (event: FormEvent) => {
    event.preventDefault()
    if (busy) return
    setBusy(true)
    try {
      await call(FILES.requestManual, { body: { timestamp, note: note.trim() } })
      dispatch(baseApi.util.invalidateTags(['user']))
      notify('success', 'We have your request. We write to you as soon as there is news.')
      onClose()
    } catch (cause) {
      notify('error', (cause instanceof ApiFailure && cause.message) || TEXTS.signInFailed)
      setBusy(false)
    }
  }

  return (
    <Dialog
      open={open}
      onClose={onClose}
      onClosed={onClosed}
      title="Request a free manual repair"
      description={`A person looks at ${fileName}. Your files are kept until the case is closed, and you hear from us by email and on your dashboard.`}
    >
      <form onSubmit={send} className="mt-6">
        <label htmlFor={id} className="mb-1.5 block text-small font-semibold">
          What should we know?
        </label>
        <textarea
          id={id}
          rows={5}
          maxLength={MAX_NOTE_LENGTH}
          value={note}
          onChange={(event) => setNote(event.target.value)}
          aria-describedby={`${id}-hint`}
          className="w-full rounded-sm border border-edge bg-glaze px-3.5 py-2.5 hover:border-ink"
        />
        <p id={`${id}-hint`} className="mt-1 text-tiny text-ink-soft">
          The camera, what happened to the card, how long the recording should be. You may leave it empty.
        </p>
        <Button type="submit" aria-disabled={busy} className="mt-5 w-full">
          Send the request
        </Button>
      </form>
    </Dialog>
  )
}
