import type { Failure, Product, Purchase } from '@mendframe/contract'
import { createSlice } from '@reduxjs/toolkit'
import { type ByFlavour, changed, inEachFlavour } from '../../shared/lib/by-flavour.ts'
import { billingApi } from './billing-api.ts'

export interface RechargeState {
  readonly purchaseRecords: readonly Purchase[]
  readonly loading: boolean
  /** The body of a refusal, as the service sent it. */
  readonly error: Failure | null
}

const initialState = inEachFlavour<RechargeState>({ purchaseRecords: [], loading: false, error: null })

/** The purchases as last fetched, in each flavour. */
export const rechargeSlice = createSlice({
  name: 'recharge',
  initialState,
  reducers: {},
  extraReducers: (builder) => {
    const { purchases } = billingApi.endpoints
    builder
      .addMatcher(purchases.matchPending, (state, { meta }) =>
        changed<RechargeState>(state, meta.arg.originalArgs.product, { loading: true, error: null }),
      )
      .addMatcher(purchases.matchFulfilled, (state, { meta, payload }) =>
        changed<RechargeState>(state, meta.arg.originalArgs.product, {
          purchaseRecords: payload,
          loading: false,
          error: null,
        }),
      )
      .addMatcher(purchases.matchRejected, (state, { meta, payload }) =>
        meta.condition
          ? state
          : changed<RechargeState>(state, meta.arg.originalArgs.product, {
              loading: false,
              error: payload ? { success: false, message: payload.message, code: payload.code } : null,
            }),
      )
  },
})

interface WithRecharge {
  readonly recharge: ByFlavour<RechargeState>
}
export const selectRecharge = (product: Product) => (state: WithRecharge) => state.recharge[product]
