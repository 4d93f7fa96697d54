import type { Purchase } from '@mendframe/contract'
import { createSlice } from '@reduxjs/toolkit'
import type { CallError } from '../../shared/api/base-api.ts'
import { billingApi } from './billing-api.ts'

export interface RechargeState {
  readonly purchaseRecords: readonly Purchase[]
  readonly loading: boolean
  readonly error: CallError | null
}

const initialState: RechargeState = { purchaseRecords: [], loading: false, error: null }

/** The purchases as last fetched. */
export const rechargeSlice = createSlice({
  name: 'recharge',
  initialState,
  reducers: {},
  extraReducers: (builder) => {
    const { purchases } = billingApi.endpoints
    builder
      .addMatcher(purchases.matchPending, (state) => ({ ...state, loading: true, error: null }))
      .addMatcher(purchases.matchFulfilled, (_, { payload }) => ({
        purchaseRecords: payload,
        loading: false,
        error: null,
      }))
      .addMatcher(purchases.matchRejected, (state, { meta, payload }) =>
        meta.condition ? state : { ...state, loading: false, error: payload ?? null },
      )
  },
})

export const selectRecharge = (state: { readonly recharge: RechargeState }) => state.recharge
