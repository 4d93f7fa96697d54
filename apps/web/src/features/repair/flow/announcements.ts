import type { Product } from '@mendframe/contract'
import { textFor } from '../../../shared/lib/text-for.ts'
import { SHOWN_STAGES, shownStage } from '../workspace/stages.ts'
import { waitingLine } from '../workspace/waiting-line.ts'
import { type FlowState, isUnderWay } from './flow-state.ts'

/** The milestone that a state is at, in words: it changes at milestones only, not with every percent. */
export function announcementOf(product: Product, state: FlowState): string {
  return textFor(product, videoAnnouncement(state))
}

function videoAnnouncement({ transfer, damaged, sample, repair }: FlowState): string {
  if (transfer) {
    const what = transfer.role === 'corrupt' ? 'video' : 'sample video'
    if (transfer.state === 'failed') return transfer.message ?? ''
    if (transfer.state === 'waiting') return 'No connection. Waiting.'
    const quarter = transfer.file.bytes > 0 ? Math.floor((transfer.sent / transfer.file.bytes) * 4) * 25 : 0
    return `Uploading the ${what}, ${quarter} percent`
  }
  if (isUnderWay(repair) && repair.unheard) return 'No connection. Waiting.'
  if (repair.kind === 'analyzing') return repair.ahead ? waitingLine(repair.ahead) : 'Analyzing...'
  if (repair.kind === 'running')
    return `Repairing: ${SHOWN_STAGES[shownStage(repair.progress.stage)]?.label ?? ''}`
  if (repair.kind === 'preview') return 'Generating Preview'
  if (repair.kind === 'failed') return `${repair.title}. ${repair.message}`
  if (repair.kind === 'done')
    return repair.result.verdict === 'healthy'
      ? 'Nothing is wrong with this file.'
      : 'File Repaired Successfully.'
  if (sample) return 'Sample Video Added'
  if (damaged) return 'File Uploaded'
  return ''
}
