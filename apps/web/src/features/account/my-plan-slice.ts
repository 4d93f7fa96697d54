import type { Product, UploadedFile } from '@mendframe/contract'
import { createSlice } from '@reduxjs/toolkit'
import { type ByFlavour, changed, inEachFlavour } from '../../shared/lib/by-flavour.ts'
import { accountApi } from './account-api.ts'

export interface MyPlanState {
  readonly totalRecharges: number
  readonly uploadedFilesRecord: readonly UploadedFile[]
  readonly status: 'idle' | 'loading' | 'succeeded' | 'failed'
}

const initialState = inEachFlavour<MyPlanState>({
  totalRecharges: 0,
  uploadedFilesRecord: [],
  status: 'idle',
})

/** What the plan allows and which files stand against it, in each flavour. */
export const myPlanSlice = createSlice({
  name: 'myplan',
  initialState,
  reducers: {},
  extraReducers: (builder) => {
    const { recharges, uploadedFiles } = accountApi.endpoints
    builder
      .addMatcher(recharges.matchPending, (state, { meta }) =>
        changed<MyPlanState>(state, meta.arg.originalArgs.product, { status: 'loading' }),
      )
      .addMatcher(recharges.matchFulfilled, (state, { meta, payload }) =>
        changed<MyPlanState>(state, meta.arg.originalArgs.product, {
          status: 'succeeded',
          totalRecharges: payload.totalRecharges,
        }),
      )
      .addMatcher(recharges.matchRejected, (state, { meta }) =>
        meta.condition
          ? state
          : changed<MyPlanState>(state, meta.arg.originalArgs.product, { status: 'failed' }),
      )
      .addMatcher(uploadedFiles.matchFulfilled, (state, { meta, payload }) =>
        changed<MyPlanState>(state, meta.arg.originalArgs.product, {
          uploadedFilesRecord: payload.uploadedFiles,
        }),
      )
  },
})

interface WithPlan {
  readonly myplan: ByFlavour<MyPlanState>
}
export const selectMyPlan = (product: Product) => (state: WithPlan) => state.myplan[product]
