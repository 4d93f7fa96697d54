import type { Product } from '@mendframe/contract'
import { accountApi } from '../features/account/account-api.ts'
import {
  firstUploadSucceeded,
  sampleUploadSucceeded,
  uploadsCleared,
} from '../features/account/user-slice.ts'
import { browserFlowApi } from '../features/repair/flow/browser-flow-api.ts'
import type { AccountFacts } from '../features/repair/flow/checks.ts'
import type { FlowDialog, FlowPorts, Milestone } from '../features/repair/flow/flow-ports.ts'
import { RepairFlow } from '../features/repair/flow/repair-flow.ts'
import { browserProgress } from '../features/repair/progress/browser-progress.ts'
import { browserUploadPorts } from '../features/repair/upload/browser-ports.ts'
import { baseApi, fromCallError, isCallError } from '../shared/api/base-api.ts'
import { notify } from '../shared/notify/notify.ts'
import { openOverlay } from '../shared/overlay/overlay.ts'
import { readUser } from '../shared/storage/session.ts'
import { store } from './store.ts'

/** What a read of the account answers, or the failure as it was thrown. */
async function answered<T>(reading: { unwrap(): Promise<T>; unsubscribe(): void }): Promise<T> {
  try {
    return await reading.unwrap()
  } catch (cause) {
    throw isCallError(cause) ? fromCallError(cause) : cause
  } finally {
    // Until then the store keeps the answer, even where the page around has let go of it.
    reading.unsubscribe()
  }
}

async function facts(product: Product): Promise<AccountFacts> {
  const who = { email: readUser(product)?.email ?? '', product }
  const options = { forceRefetch: true }
  const user = await answered(store.dispatch(accountApi.endpoints.userData.initiate(who, options)))
  // The Free plan of photos has several repairs: the service tells how many are used.
  if (user.user.current_plan !== 'Premium' && product === 'video') {
    return {
      plan: user.user.current_plan,
      uploadedFiles: user.uploadedFiles,
      totalRecharges: 0,
      usedRecharges: 0,
    }
  }
  const counts = await answered(store.dispatch(accountApi.endpoints.recharges.initiate(who, options)))
  return { plan: user.user.current_plan, uploadedFiles: user.uploadedFiles, ...counts }
}

function showDialog(product: Product, dialog: FlowDialog): void {
  if (dialog === 'sign-in') openOverlay({ kind: 'sign-in', product })
  else if (dialog === 'too-large') openOverlay({ kind: 'exceed-size', product })
  else openOverlay({ kind: 'pricing', product, variant: dialog === 'exhausted' ? 'exhausted' : 'limit' })
}

function recordMilestone(product: Product, milestone: Milestone): void {
  if (milestone === 'damaged-uploaded') store.dispatch(firstUploadSucceeded(product))
  else if (milestone === 'sample-uploaded') store.dispatch(sampleUploadSucceeded(product))
  else if (milestone === 'cleared') store.dispatch(uploadsCleared(product))
  if (milestone === 'repair-finished' || milestone === 'cleared') {
    store.dispatch(baseApi.util.invalidateTags(['user', 'purchases']))
  }
}

/** A repair flow on this browser, this service and this store. */
export function createBrowserFlow(product: Product): RepairFlow {
  return new RepairFlow(browserFlowPorts(product))
}

/** What flows need, on this browser, this service and this store. */
export function browserFlowPorts(product: Product): FlowPorts {
  return {
    product,
    api: browserFlowApi(product),
    uploads: browserUploadPorts,
    progress: browserProgress(product),
    signedIn: () => readUser(product) !== null,
    facts: () => facts(product),
    dialog: (dialog) => showDialog(product, dialog),
    notify,
    milestone: (milestone) => recordMilestone(product, milestone),
    now: () => performance.now(),
  }
}
