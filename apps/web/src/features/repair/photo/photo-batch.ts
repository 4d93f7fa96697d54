import type { UploadedFile } from '@mendframe/contract'
import { isSessionRefused } from '../../../shared/api/session-end.ts'
import { plural } from '../../../shared/lib/format.ts'
import type { FlowPorts } from '../flow/flow-ports.ts'
import type { FlowState } from '../flow/flow-state.ts'
import { RepairFlow } from '../flow/repair-flow.ts'
import { textOfUploadError } from '../upload/upload-errors.ts'
import { Lanes } from './lanes.ts'
import { repairsLeft, sortPhotos } from './photo-checks.ts'

/** Photos that are sent at the same time. */
const UPLOADS_AT_ONCE = 2
/** Repairs asked for at the same time; the Free plan runs one at a time. */
const PREMIUM_REPAIRS_AT_ONCE = 3
/** Refusals that are told one by one. */
const MOST_TOLD = 3

/** One photo of the batch. */
export interface BatchItem {
  readonly id: number
  readonly name: string
  readonly state: FlowState
  /** It is repaired by itself when it has arrived and a lane is free. */
  readonly queued: boolean
}

export interface BatchState {
  /** The checks of chosen photos are running. */
  readonly checking: boolean
  readonly items: readonly BatchItem[]
  /** The photo that is looked at. */
  readonly selected: number | undefined
}

interface Member {
  readonly id: number
  readonly name: string
  readonly flow: RepairFlow
}

const EMPTY: BatchState = { checking: false, items: [], selected: undefined }

/**
 * Several photos, each with a flow of its own: sent two at a time, repaired by themselves as soon as they have arrived and a
 * lane is free. Plain state and plain calls, as a single flow has.
 */
export class PhotoBatch {
  readonly #ports: FlowPorts
  readonly #listeners = new Set<() => void>()
  readonly #uploads = new Lanes(() => UPLOADS_AT_ONCE)
  readonly #repairs = new Lanes(() => (this.#premium ? PREMIUM_REPAIRS_AT_ONCE : 1))
  #members: readonly Member[] = []
  readonly #queued = new Set<number>()
  #state: BatchState = EMPTY
  #premium = false
  #last = 0

  constructor(ports: FlowPorts) {
    // What one photo has come to is no end of the others' work.
    const milestone: FlowPorts['milestone'] = (reached) => {
      if (reached !== 'cleared' || this.#members.length === 0) ports.milestone(reached)
    }
    this.#ports = { ...ports, milestone }
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  readonly snapshot = (): BatchState => this.#state

  /** The flow of a photo; the one that is looked at without an id. */
  flow(id = this.#state.selected): RepairFlow | undefined {
    return this.#members.find((member) => member.id === id)?.flow
  }

  /** The visitor chose or dropped photos. */
  async choose(files: readonly File[]): Promise<void> {
    if (this.#state.checking || files.length === 0) return
    const { signedIn, dialog, notify, uploads } = this.#ports
    if (!signedIn()) {
      dialog('sign-in')
      return
    }
    this.#set({ checking: true })
    try {
      for (const file of await this.#check(files)) this.#take(file)
    } catch (cause) {
      if (isSessionRefused(cause)) dialog('sign-in')
      else notify('error', textOfUploadError(cause, uploads.isOnline()))
    } finally {
      this.#set({ checking: false })
    }
  }

  select(id: number): void {
    this.#set({ selected: id })
  }

  /** Takes a photo off the list; what runs on the service for it goes on. */
  remove(id: number): void {
    const gone = this.#members.find((member) => member.id === id)
    if (!gone) return
    const place = this.#members.indexOf(gone)
    this.#members = this.#members.filter((member) => member !== gone)
    if (gone.flow.state.transfer) gone.flow.cancelTransfer()
    gone.flow.dispose()
    const next = this.#members[place] ?? this.#members.at(-1)
    this.#set({ selected: this.#state.selected === id ? next?.id : this.#state.selected })
  }

  /** Sends a photo again whose upload has stopped. */
  async retry(id: number): Promise<void> {
    const flow = this.flow(id)
    if (!flow) return
    await this.#uploads.run(() => flow.retryTransfer())
    await this.start(id)
  }

  /** Repairs a photo that has arrived, as soon as a lane is free. */
  async start(id: number): Promise<void> {
    const flow = this.flow(id)
    if (!flow?.state.damaged || this.#queued.has(id)) return
    this.#queued.add(id)
    this.#set({})
    await this.#repairs.run(async () => {
      this.#queued.delete(id)
      if (this.flow(id)) await flow.start()
    })
  }

  /** Goes on with an upload of an earlier visit. */
  resume(record: UploadedFile): void {
    const { id, flow } = this.#add(record.originalfilename)
    flow.resume(record)
    if (record.repair?.status !== 'Running') void this.start(id)
  }

  /** The page is left. */
  dispose(): void {
    const members = this.#members
    this.#members = []
    for (const { flow } of members) flow.dispose()
    this.#state = EMPTY
  }

  /** The photos that are taken; what is not taken is said. */
  async #check(files: readonly File[]): Promise<readonly File[]> {
    const { api, dialog } = this.#ports
    const facts = await this.#ports.facts()
    this.#premium = facts.plan === 'Premium'
    const underWay = this.#members.filter(({ flow }) => isPending(flow.state)).length
    const left = repairsLeft(facts, underWay)
    if (left === 0 || (!this.#premium && !(await api.uploadCheck()))) {
      dialog(this.#premium ? 'exhausted' : 'plan-limit')
      return []
    }
    const { taken, refused, tooLarge, beyondPlan } = sortPhotos(files, facts.plan, left)
    if (tooLarge[0]) {
      await api.reportSize(tooLarge[0].size)
      dialog('too-large')
    }
    this.#tell(refused, files.length > 1)
    if (beyondPlan > 0) {
      this.#ports.notify(
        'info',
        `${plural(beyondPlan, 'photo')} ${beyondPlan === 1 ? 'was' : 'were'} left out: your plan has ${plural(left, 'repair')} left.`,
      )
    }
    return taken
  }

  #tell(refused: readonly { readonly name: string; readonly text: string }[], named: boolean): void {
    for (const { name, text } of refused.slice(0, MOST_TOLD)) {
      this.#ports.notify('error', named ? `${name}: ${text}` : text)
    }
    const more = refused.length - MOST_TOLD
    if (more > 0) this.#ports.notify('error', `${plural(more, 'more file')} could not be taken.`)
  }

  #take(file: File): void {
    const { id, flow } = this.#add(file.name)
    const send = async () => {
      // It may have been taken off the list while it waited.
      if (this.flow(id)) await flow.send(file)
    }
    void this.#uploads.run(send).then(() => this.start(id))
  }

  #add(name: string): Member {
    this.#last += 1
    const member = { id: this.#last, name, flow: new RepairFlow(this.#ports) }
    this.#members = [...this.#members, member]
    member.flow.subscribe(() => this.#set({}))
    this.#set({ selected: this.#state.selected ?? member.id })
    return member
  }

  #set(change: Partial<Omit<BatchState, 'items'>>): void {
    const items = this.#members.map(({ id, name, flow }) => ({
      id,
      name,
      state: flow.state,
      queued: !flow.state.damaged || this.#queued.has(id),
    }))
    this.#state = { ...this.#state, ...change, items }
    for (const listener of this.#listeners) listener()
  }
}

/** Whether a photo still may take a place of the plan. */
function isPending({ repair, transfer }: FlowState): boolean {
  return repair.kind !== 'done' && repair.kind !== 'failed' && transfer?.state !== 'failed'
}
