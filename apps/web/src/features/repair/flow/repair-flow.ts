import { type Enhancement, mediaTypeOf, TEXTS, type UploadedFile } from '@mendframe/contract'
import { ApiFailure } from '../../../shared/api/failure.ts'
import { isSessionRefused } from '../../../shared/api/session-end.ts'
import { textFor } from '../../../shared/lib/text-for.ts'
import { untilAnswered } from '../upload/patience.ts'
import { PaceMeter } from '../upload/rate.ts'
import { abandonFile, sendFile } from '../upload/send-file.ts'
import { isRefusedFile, textOfUploadError } from '../upload/upload-errors.ts'
import type { UploadRequest, UploadTicket } from '../upload/upload-ports.ts'
import { checkMain, checkSampleFile, describe } from './checks.ts'
import type { FlowPorts } from './flow-ports.ts'
import { EMPTY_FLOW, type FlowState, isUnderWay, type StoredFile, type Transfer } from './flow-state.ts'
import { followRepair } from './follow-repair.ts'

/** Readings of a transfer are shown at most this often, in milliseconds. */
const REDRAW_MS = 120

interface Running {
  readonly role: 'corrupt' | 'sample'
  readonly file: File
  readonly abort: AbortController
  request?: UploadRequest
}

/**
 * One repair from the choice of a file to its result. Plain state and plain calls: whatever shows it subscribes and
 * draws `state`.
 */
export class RepairFlow {
  readonly #ports: FlowPorts
  readonly #listeners = new Set<() => void>()
  #state: FlowState = EMPTY_FLOW
  #running: Running | undefined
  #following: AbortController | undefined

  constructor(ports: FlowPorts) {
    this.#ports = ports
  }

  get state(): FlowState {
    return this.#state
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  readonly snapshot = (): FlowState => this.#state

  /** The visitor chose or dropped what is to be repaired. */
  async chooseDamaged(files: readonly File[]): Promise<void> {
    if (this.#state.checking || this.#state.transfer) return
    this.#set({ checking: true })
    try {
      const { api, product } = this.#ports
      const outcome = await checkMain({
        product,
        signedIn: this.#ports.signedIn(),
        facts: this.#ports.facts,
        files,
        askService: () => api.uploadCheck(),
        reportSize: (bytes) => api.reportSize(bytes),
      })
      if (outcome.kind === 'refused') this.#ports.notify('error', outcome.text)
      else if (outcome.kind !== 'go') this.#ports.dialog(outcome.kind)
      else if (files[0]) void this.#upload('corrupt', files[0])
    } catch (cause) {
      if (isSessionRefused(cause)) this.#ports.dialog('sign-in')
      else this.#ports.notify('error', textOfUploadError(cause, this.#ports.uploads.isOnline()))
    } finally {
      this.#set({ checking: false })
    }
  }

  /** Sends a damaged file that was checked already, to its end. */
  async send(file: File): Promise<void> {
    if (!this.#state.damaged && !this.#state.transfer) await this.#upload('corrupt', file)
  }

  /** The visitor chose or dropped the sample. */
  async chooseSample(files: readonly File[]): Promise<void> {
    const { damaged, transfer } = this.#state
    if (!damaged || transfer) return
    if (!this.#ports.signedIn()) {
      this.#ports.dialog('sign-in')
      return
    }
    const refusal = checkSampleFile(this.#ports.product, damaged, files)
    if (refusal) this.#ports.notify('error', refusal)
    else if (files[0]) await this.#upload('sample', files[0])
  }

  /** Gives the running transfer up. */
  cancelTransfer(): void {
    const running = this.#running
    this.#running = undefined
    running?.abort.abort(new DOMException('cancelled by the visitor', 'AbortError'))
    this.#set({ transfer: undefined })
    if (running?.request) {
      abandonFile(running.request, this.#ports.uploads).catch((cause: unknown) =>
        console.warn('the unfinished upload could not be given up', cause),
      )
    }
  }

  /** Sends the same file again after a failure. */
  async retryTransfer(): Promise<void> {
    const running = this.#running
    if (running && this.#state.transfer?.state === 'failed') await this.#upload(running.role, running.file)
  }

  /** Another sample instead of the one that was sent. */
  replaceSample(): void {
    if (this.#state.repair.kind === 'idle' || this.#state.repair.kind === 'failed') {
      this.#set({ sample: undefined, repair: { kind: 'idle' } })
    }
  }

  /** What is to be done to the pictures besides the repair. */
  chooseEnhancements(enhancements: readonly Enhancement[]): void {
    this.#set({ enhancements })
  }

  /** Start Repair. */
  async start(): Promise<void> {
    const { damaged, sample, repair, transfer } = this.#state
    if (isUnderWay(repair) || transfer) return
    if (!this.#ports.signedIn()) {
      this.#ports.dialog('sign-in')
      return
    }
    if (!damaged || (!sample && this.#ports.product === 'video')) {
      this.#ports.notify('error', textFor(this.#ports.product, TEXTS.sampleMissing))
      return
    }
    await this.#follow(damaged, { enhancements: this.#state.enhancements })
  }

  /** Cancels the repair that is running. */
  async cancelRepair(): Promise<void> {
    const { damaged } = this.#state
    const following = this.#following
    if (!damaged || !following) return
    try {
      await this.#ports.api.cancel(damaged.timestamp)
    } catch (cause) {
      // It may just have ended: then the following says how.
      if (!(cause instanceof ApiFailure) || cause.code !== 'repair.not-running') {
        this.#ports.notify(
          'error',
          cause instanceof ApiFailure && cause.message ? cause.message : TEXTS.repairThrew,
        )
      }
      return
    }
    following.abort()
    // its end may have been told before this answer, and another repair be running
    const isLast = !this.#following || this.#following === following
    if (!isLast || this.#state.damaged !== damaged) return
    this.#following = undefined
    this.#set({ repair: { kind: 'idle' } })
  }

  /** Takes up an upload of an earlier visit. */
  resume(record: UploadedFile): void {
    const damaged: StoredFile = {
      name: record.originalfilename,
      bytes: record.originalfileBytes,
      extension: record.extension,
      fileName: record.renamefilename,
      timestamp: record.timestamp,
      uniqueId: record.unique_id,
    }
    const sample =
      record.status === 'Corrut_File_Uploaded'
        ? undefined
        : {
            name: record.originalsamplefilename,
            bytes: Math.round(record.originalsamplefileSize * 2 ** 20),
            extension: record.extension,
          }
    this.#state = { ...EMPTY_FLOW, damaged, sample }
    this.#ports.milestone('damaged-uploaded')
    if (sample) this.#ports.milestone('sample-uploaded')
    this.#changed()
    if (record.repair?.status === 'Running') void this.#follow(damaged, 'join')
  }

  /** Deletes the files of the finished repair on the service. */
  async deleteFiles(): Promise<boolean> {
    const { damaged, repair } = this.#state
    if (!damaged) return false
    try {
      await this.#ports.api.remove(damaged.timestamp)
    } catch (cause) {
      this.#ports.notify('error', (cause instanceof ApiFailure && cause.message) || TEXTS.downloadFailed)
      return false
    }
    if (repair.kind === 'done') {
      this.#set({
        repair: { kind: 'done', result: { ...repair.result, download: undefined, deleted: true } },
      })
    }
    return true
  }

  /** The page is left. What runs on the service goes on; an upload in parts can be continued on the next visit. */
  dispose(): void {
    this.#running?.abort.abort(new DOMException('the page was left', 'AbortError'))
    this.#running = undefined
    this.#following?.abort()
    this.#following = undefined
    this.#state = EMPTY_FLOW
    this.#ports.milestone('cleared')
  }

  /** Back to the beginning, for another file. */
  reset(): void {
    this.cancelTransfer()
    this.#following?.abort()
    this.#following = undefined
    this.#state = EMPTY_FLOW
    this.#ports.milestone('cleared')
    this.#changed()
  }

  async #follow(damaged: StoredFile, how: Parameters<typeof followRepair>[1]): Promise<void> {
    const following = new AbortController()
    this.#following = following
    await followRepair(damaged, how, this.#ports, following.signal, (repair) => {
      if (!following.signal.aborted) this.#set({ repair })
    })
    if (this.#following === following) this.#following = undefined
  }

  async #upload(role: 'corrupt' | 'sample', file: File): Promise<void> {
    const running: Running = { role, file, abort: new AbortController() }
    this.#running = running
    const facts = describe(file)
    const meter = new PaceMeter()
    let drawn = Number.NEGATIVE_INFINITY
    let transfer: Transfer = {
      role,
      file: facts,
      state: 'preparing',
      sent: 0,
      rate: 0,
      secondsLeft: undefined,
      resumedFrom: 0,
    }
    const show = (change: Partial<Transfer>) => {
      if (this.#running !== running) return
      transfer = { ...transfer, ...change }
      this.#set({ transfer })
    }
    const request: UploadRequest = {
      product: this.#ports.product,
      role,
      file,
      extension: facts.extension,
      contentType: mediaTypeOf(facts.extension),
      timestamp: role === 'sample' ? this.#state.damaged?.timestamp : undefined,
      signal: running.abort.signal,
      onProgress: (sent) => {
        const at = this.#ports.now()
        const pace = meter.read(at, sent, file.size)
        if (at - drawn < REDRAW_MS && sent < file.size) return
        drawn = at
        show({ state: 'sending', sent, ...pace })
      },
      onResume: (sent) => show({ sent, resumedFrom: sent }),
      onWaiting: () => {
        meter.reset()
        show({ state: 'waiting', rate: 0, secondsLeft: undefined })
      },
      onConfirming: () => show({ state: 'confirming', sent: file.size, rate: 0, secondsLeft: undefined }),
    }
    running.request = request
    show({})
    try {
      const ticket = await sendFile(request, this.#ports.uploads)
      if (role === 'corrupt') await this.#confirmDamaged(ticket, facts, running, request)
      else if (this.#running === running) this.#confirmSample(facts)
    } catch (cause) {
      if (running.abort.signal.aborted) return
      if (isSessionRefused(cause)) {
        this.#running = undefined
        this.#set({ transfer: undefined })
        this.#ports.dialog('sign-in')
        return
      }
      const message = textOfUploadError(cause, this.#ports.uploads.isOnline())
      show({ state: 'failed', message, refused: isRefusedFile(cause) })
      this.#ports.notify('error', message)
    }
  }

  async #confirmDamaged(
    ticket: UploadTicket,
    facts: Transfer['file'],
    running: Running,
    request: UploadRequest,
  ): Promise<void> {
    const { api, uploads } = this.#ports
    const record = () => api.recordMetadata({ ...facts, ...ticket })
    const { fileSize, uniqueId } = await untilAnswered(record, request, uploads)
    if (this.#running !== running) return
    this.#running = undefined
    this.#set({ transfer: undefined, damaged: { ...facts, ...ticket, bytes: fileSize, uniqueId } })
    this.#ports.milestone('damaged-uploaded')
  }

  #confirmSample(facts: Transfer['file']): void {
    this.#running = undefined
    this.#set({ transfer: undefined, sample: facts, repair: { kind: 'idle' } })
    this.#ports.milestone('sample-uploaded')
  }

  #set(change: Partial<FlowState>): void {
    this.#state = { ...this.#state, ...change }
    this.#changed()
  }

  #changed(): void {
    for (const listener of this.#listeners) listener()
  }
}
