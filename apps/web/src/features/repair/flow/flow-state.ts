import type { DownloadReply, Enhancement, RepairReport, RepairStage, Verdict } from '@mendframe/contract'

/** A file as the visitor knows it. */
export interface FlowFile {
  readonly name: string
  readonly bytes: number
  /** Without its dot, lower case. */
  readonly extension: string
}

/** The damaged file once the service has it. */
export interface StoredFile extends FlowFile {
  /** `renamefilename`: the service's name for it. */
  readonly fileName: string
  /** Key of the job. */
  readonly timestamp: string
  readonly uniqueId: string
}

/** A file on its way to the service. */
export interface Transfer {
  readonly role: 'corrupt' | 'sample'
  readonly file: FlowFile
  /** `waiting`: the connection is gone, the transfer goes on by itself when it is back. */
  readonly state: 'preparing' | 'sending' | 'waiting' | 'confirming' | 'failed'
  readonly sent: number
  /** Bytes a second, smoothed; 0 while unknown. */
  readonly rate: number
  /** Seconds left at that rate; `undefined` while unknown. */
  readonly secondsLeft: number | undefined
  /** Bytes that an earlier visit had already sent. */
  readonly resumedFrom: number
  /** Why it failed. */
  readonly message?: string
}

/** How the repair stands on the service. */
export interface LiveProgress {
  /** 0 to 100 of the whole repair. */
  readonly percentage: number
  readonly stage: RepairStage
  /** The stage in words. */
  readonly text: string
  /** 0 to 1 of the stage. */
  readonly fraction: number
}

/** Nothing came of a repair: by its nature, by somebody's wish, or as far as this page can tell. */
export type FailureKind = 'failed' | 'unrepairable' | 'cancelled' | 'interrupted'

/** `unheard`: the connection is gone, what is shown is what was heard last; the page goes on by itself when it is back. */
export type RepairState =
  | { readonly kind: 'idle' }
  /** Start Repair was pressed; the service has not begun to work yet. */
  | {
      readonly kind: 'analyzing'
      readonly since: number
      /** Repairs that wait in front of this one; `undefined` until the service has said that it waits. */
      readonly ahead?: number | undefined
      readonly unheard?: boolean
    }
  | { readonly kind: 'running'; readonly progress: LiveProgress; readonly unheard?: boolean }
  /** The repair is done; its links are being fetched. */
  | { readonly kind: 'preview'; readonly unheard?: boolean }
  | {
      readonly kind: 'failed'
      readonly title: string
      readonly message: string
      readonly why: FailureKind
    }
  | { readonly kind: 'done'; readonly result: FlowResult }

export interface FlowResult {
  readonly verdict: Verdict
  /** Absent where nothing was wrong and there is nothing to download. */
  readonly download: DownloadReply | undefined
  /** Absent where the report could not be fetched. */
  readonly report: RepairReport | undefined
  /** The service's line for the visitor, if any. */
  readonly message: string | undefined
  /** The visitor deleted the files. */
  readonly deleted: boolean
}

/** Whether a repair was asked for and has not ended. */
export function isUnderWay(
  repair: RepairState,
): repair is Extract<RepairState, { kind: 'analyzing' | 'running' | 'preview' }> {
  return repair.kind === 'analyzing' || repair.kind === 'running' || repair.kind === 'preview'
}

/** The whole of one repair as the page shows it. */
export interface FlowState {
  /** The checks before an upload are running. */
  readonly checking: boolean
  readonly damaged: StoredFile | undefined
  readonly sample: FlowFile | undefined
  readonly transfer: Transfer | undefined
  /** What is to be done besides the repair. */
  readonly enhancements: readonly Enhancement[]
  readonly repair: RepairState
}

export const EMPTY_FLOW: FlowState = {
  checking: false,
  damaged: undefined,
  sample: undefined,
  transfer: undefined,
  enhancements: [],
  repair: { kind: 'idle' },
}

/** The four steps of the tracker. */
export type Step = 'upload' | 'sample' | 'repair' | 'save'
export const STEPS: readonly Step[] = ['upload', 'sample', 'repair', 'save']

/** Which steps are done, and which one the visitor is at. */
export function stepOf(state: FlowState): { readonly current: Step; readonly done: readonly Step[] } {
  if (!state.damaged) return { current: 'upload', done: [] }
  if (!state.sample) return { current: 'sample', done: ['upload'] }
  if (state.repair.kind !== 'done') return { current: 'repair', done: ['upload', 'sample'] }
  return { current: 'save', done: state.repair.result.download ? STEPS : ['upload', 'sample', 'repair'] }
}

/** Whether anything is under way or won that leaving the page would lose. */
export function isWorking(state: FlowState): boolean {
  return state.damaged !== undefined || state.transfer !== undefined
}

/** Whether leaving the page loses an upload or its result from view: both, until there is nothing of them any more. */
export function losesWork({ damaged, repair }: FlowState): boolean {
  if (!damaged) return false
  return repair.kind !== 'done' || repair.result.download !== undefined
}
