import {
  type DownloadReply,
  type Enhancement,
  type ProgressReply,
  previewWaitSeconds,
  TEXTS,
} from '@mendframe/contract'
import { ApiFailure, NoAnswer } from '../../../shared/api/failure.ts'
import { isSessionRefused } from '../../../shared/api/session-end.ts'
import { textFor } from '../../../shared/lib/text-for.ts'
import { followProgress } from '../progress/progress-feed.ts'
import type { FlowPorts } from './flow-ports.ts'
import {
  type FailureKind,
  type FlowResult,
  isUnderWay,
  type RepairState,
  type StoredFile,
} from './flow-state.ts'

/** Pause between two tries to fetch the links of a result that is not there yet. */
const LINK_PAUSE_MS = 2_000

const failed = (message: string, why: FailureKind): RepairState => ({
  kind: 'failed',
  title: why === 'cancelled' ? 'Repair cancelled' : TEXTS.repairFailedTitle,
  message,
  why,
})

/**
 * Starts a repair with what was asked for besides (or joins one that runs) and follows it to its end, telling each state to
 * `draw`. Never throws; a fired signal ends it silently.
 */
export async function followRepair(
  damaged: StoredFile,
  how: 'join' | { readonly enhancements: readonly Enhancement[] },
  ports: FlowPorts,
  signal: AbortSignal,
  draw: (state: RepairState) => void,
): Promise<void> {
  const since = ports.now()
  let shown: RepairState = { kind: 'idle' }
  const show = (state: RepairState) => {
    shown = state
    draw(state)
  }
  const showSilence = () => {
    if (isUnderWay(shown) && !shown.unheard) show({ ...shown, unheard: true })
  }
  show({ kind: 'analyzing', since })
  if (how !== 'join' && !(await begin(damaged, how.enhancements, ports, show))) return
  ports.milestone('repair-started')
  let previewSaid = false
  let last: ProgressReply
  try {
    last = await followProgress(
      damaged.timestamp,
      ports.progress,
      (reply) => {
        if (reply.stage === 'queued' && reply.status === 'Running') {
          show({ kind: 'analyzing', since, ahead: reply.ahead ?? 0 })
          return
        }
        if (reply.stage === 'preview' && !previewSaid) {
          previewSaid = true
          ports.notify('info', 'The Preview repair start Working.', 'Preview Repair Creating...')
        }
        if (reply.status === 'Running') show({ kind: 'running', progress: liveProgress(reply) })
      },
      showSilence,
      signal,
    )
  } catch (cause) {
    if (signal.aborted) return
    if (isSessionRefused(cause)) {
      ports.dialog('sign-in')
      show({ kind: 'idle' })
      return
    }
    console.error('the progress of the repair could not be read', cause)
    ports.notify('error', TEXTS.progressFailed)
    ports.milestone('repair-failed')
    show(failed(TEXTS.progressFailed, 'interrupted'))
    return
  }
  if (signal.aborted) return
  if (last.cancelled) {
    ports.milestone('repair-failed')
    show(failed(last.message ?? 'The repair was cancelled.', 'cancelled'))
    return
  }
  if (last.status === 'Failed') {
    const text = textFor(ports.product, TEXTS.repairFailed)
    const message = last.message ?? text
    ports.notify('error', text, TEXTS.repairFailedTitle)
    ports.milestone('repair-failed')
    show(failed(message, last.verdict === 'unrepairable' ? 'unrepairable' : 'failed'))
    return
  }
  await finish(damaged, last, ports, signal, show)
}

function liveProgress(reply: ProgressReply) {
  return {
    percentage: reply.progress,
    stage: reply.stage,
    text: reply.repairingStatus,
    fraction: reply.fraction,
  }
}

/** Presses the button on the service. Whether a repair runs now. */
async function begin(
  damaged: StoredFile,
  enhancements: readonly Enhancement[],
  ports: FlowPorts,
  show: (state: RepairState) => void,
): Promise<boolean> {
  let code: string
  try {
    code = await ports.api.startRepair(damaged, enhancements)
  } catch (cause) {
    if (isSessionRefused(cause)) {
      ports.dialog('sign-in')
      show({ kind: 'idle' })
      return false
    }
    const refusal = cause instanceof ApiFailure ? cause : undefined
    // It was begun before by a call whose answer was lost, or in another tab: its end is told like any other.
    if (refusal?.code === 'file.repaired-already') return true
    if (refusal?.code === 'plan.exhausted' || refusal?.code === 'plan.photo-exhausted') {
      const { plan } = await ports.facts()
      ports.dialog(plan === 'Premium' ? 'exhausted' : 'plan-limit')
      show({ kind: 'idle' })
      return false
    }
    const offline = cause instanceof NoAnswer && !ports.uploads.isOnline()
    const message = offline ? TEXTS.uploadOffline : refusal?.message || TEXTS.repairThrew
    ports.notify('error', message, TEXTS.repairFailedTitle)
    ports.milestone('repair-failed')
    show(failed(message, 'interrupted'))
    return false
  }
  try {
    await ports.api.recordStatus(code, damaged.timestamp)
  } catch (cause) {
    console.warn('the status could not be recorded', cause)
    ports.notify('error', TEXTS.statusNotRecorded)
  }
  return true
}

async function finish(
  damaged: StoredFile,
  last: ProgressReply,
  ports: FlowPorts,
  signal: AbortSignal,
  show: (state: RepairState) => void,
): Promise<void> {
  show({ kind: 'preview' })
  const silence = () => show({ kind: 'preview', unheard: true })
  const verdict = last.verdict ?? 'repaired'
  const healthy = verdict === 'healthy'
  const [download, report] = await Promise.all([
    healthy ? undefined : fetchLinks(damaged, ports, signal, silence),
    fetchReport(damaged, ports, signal, silence),
  ])
  if (signal.aborted) return
  const result: FlowResult = { verdict, download, report, message: last.message, deleted: false }
  if (!healthy) {
    if (!download) ports.notify('error', TEXTS.downloadFailed)
    await ports.api.captureStatus(damaged).catch((cause: unknown) => {
      // The worker has counted the repair already; this call only tells it again.
      console.warn('the finished repair could not be acknowledged', cause)
    })
  }
  ports.milestone('repair-finished')
  show({ kind: 'done', result })
}

/** The links of the result; asked for until the specified wait for a file of this size is over. */
async function fetchLinks(
  damaged: StoredFile,
  ports: FlowPorts,
  signal: AbortSignal,
  onSilence: () => void,
): Promise<DownloadReply | undefined> {
  const deadline = ports.now() + previewWaitSeconds(damaged.bytes) * 1000
  for (;;) {
    try {
      return await heard(() => ports.api.download(damaged), ports, signal, onSilence)
    } catch (cause) {
      const final = cause instanceof ApiFailure && cause.code !== 'file.no-result' && cause.status < 500
      if (final || signal.aborted || ports.now() >= deadline) {
        console.error('the download links could not be had', cause)
        return undefined
      }
      await ports.progress.pause(LINK_PAUSE_MS, signal).catch(() => undefined)
    }
  }
}

async function fetchReport(
  damaged: StoredFile,
  ports: FlowPorts,
  signal: AbortSignal,
  onSilence: () => void,
) {
  try {
    return await heard(() => ports.api.report(damaged.timestamp), ports, signal, onSilence)
  } catch (cause) {
    console.warn('the report could not be fetched', cause)
    return undefined
  }
}

/** What a call answers, made again while nobody does; the first time nobody does, `onSilence` hears. */
async function heard<T>(
  call: () => Promise<T>,
  ports: FlowPorts,
  signal: AbortSignal,
  onSilence: () => void,
): Promise<T> {
  for (;;) {
    try {
      return await call()
    } catch (cause) {
      if (!(cause instanceof NoAnswer)) throw cause
      signal.throwIfAborted()
      onSilence()
      await ports.progress.pause(LINK_PAUSE_MS, signal)
    }
  }
}
