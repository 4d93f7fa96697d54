import { freeRepairs, type Product, type UploadedFile } from '@mendframe/contract'

/** Repairs used of the repairs there are. */
export interface Usage {
  readonly used: number
  readonly total: number
}

/** Use of the Free plan: its completed repairs, never shown above what it allows. */
export function freeUsage(product: Product, files: readonly Pick<UploadedFile, 'status' | 'plan'>[]): Usage {
  const total = freeRepairs(product)
  const used = files.filter(({ status, plan }) => status === 'Repair_Completed' && plan === 'Free').length
  return { used: Math.min(used, total), total }
}

/** Whether the dashboard asks by itself to upgrade: a Free user who has a completed repair. */
export function asksToUpgrade(plan: string, files: readonly Pick<UploadedFile, 'status'>[]): boolean {
  return plan !== 'Premium' && files.some(({ status }) => status === 'Repair_Completed')
}

/** 'You can repair …' of a plan. */
export function allowance(product: Product, plan: string, total: number): string {
  const things = product === 'video' ? 'videos' : 'photos'
  if (plan === 'Premium') return `You can repair a maximum of ${total} files with your current plan.`
  if (product === 'video' && total === 1) return 'You can repair one video for free'
  return `You can repair ${total} ${things} for free`
}
