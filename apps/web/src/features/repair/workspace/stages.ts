import type { RepairStage } from '@mendframe/contract'

/** The stages as the strip shows them: one frame each. */
export const SHOWN_STAGES: readonly { readonly label: string; readonly stages: readonly RepairStage[] }[] = [
  { label: 'Read', stages: ['queued', 'fetch', 'survey'] },
  { label: 'Diagnose', stages: ['diagnose'] },
  { label: 'Recover', stages: ['recover'] },
  { label: 'Timeline', stages: ['timeline'] },
  { label: 'Write', stages: ['write'] },
  { label: 'Check', stages: ['verify'] },
  { label: 'Preview', stages: ['preview', 'store', 'done'] },
]

/** The frame of the strip that a stage belongs to. */
export function shownStage(stage: RepairStage): number {
  return Math.max(
    0,
    SHOWN_STAGES.findIndex((shown) => shown.stages.includes(stage)),
  )
}
