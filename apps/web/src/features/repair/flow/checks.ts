import {
  checkEmpty,
  checkExtension,
  checkSample,
  checkSize,
  errorText,
  extensionOfName,
  fill,
  type Product,
  TEXTS,
  type UploadedFile,
} from '@mendframe/contract'
import { textFor } from '../../../shared/lib/text-for.ts'
import type { FlowFile } from './flow-state.ts'

/** What is known of the account when an upload begins. */
export interface AccountFacts {
  readonly plan: string
  readonly uploadedFiles: readonly Pick<UploadedFile, 'status' | 'plan'>[]
  /** Repairs of all unexpired purchases. */
  readonly totalRecharges: number
  /** How many of them are used, counted by the service; `undefined` before it has said so. */
  readonly usedRecharges: number | undefined
}

/** Where the checks before an upload end: go on, a dialog, or a toast. */
export type CheckOutcome =
  | { readonly kind: 'go' }
  | { readonly kind: 'sign-in' }
  | { readonly kind: 'plan-limit' }
  | { readonly kind: 'exhausted' }
  | { readonly kind: 'too-large' }
  | { readonly kind: 'refused'; readonly text: string }

const isCompleted = (file: Pick<UploadedFile, 'status'>) => file.status === 'Repair_Completed'

/** Completed repairs, of one plan or of any. */
export function completedRepairs(facts: AccountFacts, plan?: string): number {
  return facts.uploadedFiles.filter((file) => isCompleted(file) && (plan === undefined || file.plan === plan))
    .length
}

/** The file of a `File` as the visitor knows it. */
export function describe(file: { readonly name: string; readonly size: number }): FlowFile {
  return { name: file.name, bytes: file.size, extension: extensionOfName(file.name) }
}

interface MainCheck {
  readonly product: Product
  readonly signedIn: boolean
  /** What is known of the account; asked for users only. */
  readonly facts: () => Promise<AccountFacts>
  /** The files that were chosen or dropped. */
  readonly files: readonly { readonly name: string; readonly size: number }[]
  /** Asks the service whether another repair is allowed (`uploadcheck`). */
  readonly askService: () => Promise<boolean>
  /** Tells the service the size of a file that is too large. */
  readonly reportSize: (bytes: number) => Promise<void>
}

/** The checks before the damaged file is uploaded, in the specified order. The service makes each of them again. */
export async function checkMain(check: MainCheck): Promise<CheckOutcome> {
  const { files, product } = check
  if (!check.signedIn) return { kind: 'sign-in' }
  const facts = await check.facts()
  const premium = facts.plan === 'Premium'
  if (!premium && !(await check.askService())) return { kind: 'plan-limit' }
  if (product === 'video' && !premium && completedRepairs(facts, 'Free') >= 1) return { kind: 'plan-limit' }
  if (premium) {
    const used = facts.usedRecharges ?? completedRepairs(facts, 'Premium')
    if (facts.totalRecharges - used <= 0) return { kind: 'exhausted' }
  }
  const file = files[0]
  if (!file) return { kind: 'refused', text: TEXTS.unsupportedFormat }
  if (checkSize(product, file.size)) {
    await check.reportSize(file.size)
    return { kind: 'too-large' }
  }
  if (files.length > 1) return { kind: 'refused', text: TEXTS.oneFileOnly }
  const wrong = checkExtension(product, extensionOfName(file.name)) ?? checkEmpty(file.size)
  return wrong ? { kind: 'refused', text: errorText(wrong) } : { kind: 'go' }
}

/** The checks of a sample: its text when it is refused. */
export function checkSampleFile(
  product: Product,
  damaged: FlowFile,
  files: readonly { readonly name: string; readonly size: number }[],
): string | undefined {
  const file = files[0]
  if (!file) return textFor(product, TEXTS.sampleMissing)
  const code = checkSample({
    product,
    damagedName: damaged.name,
    damagedExtension: damaged.extension,
    sampleName: file.name,
    sampleExtension: extensionOfName(file.name),
    sampleBytes: file.size,
  })
  if (code) return fill(errorText(code), { ext: `.${damaged.extension}` })
  return files.length > 1 ? TEXTS.oneFileOnly : undefined
}
