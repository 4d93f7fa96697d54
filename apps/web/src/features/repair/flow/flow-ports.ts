import type { DownloadReply, Enhancement, Product, RepairReport, UploadedFile } from '@mendframe/contract'
import type { NoticeKind } from '../../../shared/notify/notify.ts'
import type { ProgressPorts } from '../progress/progress-feed.ts'
import type { UploadPorts } from '../upload/upload-ports.ts'
import type { AccountFacts } from './checks.ts'
import type { StoredFile } from './flow-state.ts'

/** The calls of the repair flow, bound to a flavour. */
export interface FlowApi {
  uploadCheck(): Promise<boolean>
  reportSize(bytes: number): Promise<void>
  recordMetadata(file: { fileName: string; extension: string; timestamp: string; name: string }): Promise<{
    fileSize: number
    uniqueId: string
  }>
  startRepair(file: StoredFile, enhancements: readonly Enhancement[]): Promise<string>
  recordStatus(code: string, timestamp: string): Promise<void>
  download(file: StoredFile): Promise<DownloadReply>
  captureStatus(file: StoredFile): Promise<void>
  report(timestamp: string): Promise<RepairReport>
  cancel(timestamp: string): Promise<void>
  remove(timestamp: string): Promise<void>
  byUniqueId(id: string): Promise<UploadedFile>
}

/** A dialog that the flow asks for. */
export type FlowDialog = 'sign-in' | 'plan-limit' | 'exhausted' | 'too-large'

/** Milestones that others on the page follow. */
export type Milestone =
  | 'damaged-uploaded'
  | 'sample-uploaded'
  | 'repair-started'
  | 'repair-finished'
  | 'repair-failed'
  | 'cleared'

/** What the flow needs of the world. */
export interface FlowPorts {
  readonly product: Product
  readonly api: FlowApi
  readonly uploads: UploadPorts
  readonly progress: ProgressPorts
  readonly signedIn: () => boolean
  /** What is known of the account, fetched if need be. */
  readonly facts: () => Promise<AccountFacts>
  readonly dialog: (dialog: FlowDialog) => void
  readonly notify: (kind: NoticeKind, text: string, title?: string) => void
  readonly milestone: (milestone: Milestone) => void
  /** Milliseconds since any fixed moment. */
  readonly now: () => number
}
