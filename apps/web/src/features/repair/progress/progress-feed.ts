import { PROGRESS_POLL_MS, type ProgressReply } from '@mendframe/contract'
import { ApiFailure, NoAnswer } from '../../../shared/api/failure.ts'

/** Where progress comes from. */
export interface ProgressPorts {
  /** Pushed progress; ends when the stream does. */
  readonly events: (timestamp: string, signal: AbortSignal) => AsyncIterable<ProgressReply>
  /** One call of `checkprogress`. */
  readonly poll: (timestamp: string, signal: AbortSignal) => Promise<ProgressReply>
  readonly pause: (milliseconds: number, signal: AbortSignal) => Promise<void>
}

const isFinal = (reply: ProgressReply) => reply.status !== 'Running'

/**
 * Follows a repair to its end: by pushed progress where it works, by a poll every 10 seconds where it does not. An
 * unreadable or missing answer is ignored and the following goes on; of one that is missing `onSilence` hears.
 * @throws ApiFailure when the service refuses to say how the repair stands
 */
export async function followProgress(
  timestamp: string,
  ports: ProgressPorts,
  onProgress: (reply: ProgressReply) => void,
  onSilence: () => void,
  signal: AbortSignal,
): Promise<ProgressReply> {
  for (;;) {
    const pushed = await followEvents(timestamp, ports, onProgress, signal)
    if (pushed) return pushed
    signal.throwIfAborted()
    const polled = await pollOnce(timestamp, ports, onSilence, signal)
    if (polled) {
      onProgress(polled)
      if (isFinal(polled)) return polled
    }
    await ports.pause(PROGRESS_POLL_MS, signal)
  }
}

/** The last pushed word, if the stream came as far as that. */
async function followEvents(
  timestamp: string,
  ports: ProgressPorts,
  onProgress: (reply: ProgressReply) => void,
  signal: AbortSignal,
): Promise<ProgressReply | undefined> {
  try {
    for await (const reply of ports.events(timestamp, signal)) {
      onProgress(reply)
      if (isFinal(reply)) return reply
    }
  } catch (cause) {
    signal.throwIfAborted()
    // Whatever is wrong with the push, the poll decides.
    console.debug('pushed progress stopped', cause)
  }
  return undefined
}

async function pollOnce(
  timestamp: string,
  ports: ProgressPorts,
  onSilence: () => void,
  signal: AbortSignal,
): Promise<ProgressReply | undefined> {
  try {
    return await ports.poll(timestamp, signal)
  } catch (cause) {
    signal.throwIfAborted()
    if (cause instanceof ApiFailure) throw cause
    if (cause instanceof NoAnswer) onSilence()
    return undefined
  }
}
