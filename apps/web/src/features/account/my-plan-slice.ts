import type { UploadedFile } from '@mendframe/contract'
import { createSlice } from '@reduxjs/toolkit'
import { accountApi } from './account-api.ts'

export interface MyPlanState {
  readonly totalRecharges: number
  readonly uploadedFilesRecord: readonly UploadedFile[]
  readonly status: 'idle' | 'loading' | 'succeeded' | 'failed'
}

const initialState: MyPlanState = { totalRecharges: 0, uploadedFilesRecord: [], status: 'idle' }

/** What the plan allows and which files stand against it. */
export const myPlanSlice = createSlice({
  name: 'myplan',
  initialState,
  reducers: {},
  extraReducers: (builder) => {
    const { recharges, uploadedFiles } = accountApi.endpoints
    builder
      .addMatcher(recharges.matchPending, (state) => ({ ...state, status: 'loading' as const }))
      .addMatcher(recharges.matchFulfilled, (state, { payload }) => ({
        ...state,
        status: 'succeeded' as const,
        totalRecharges: payload.totalRecharges,
      }))
      .addMatcher(recharges.matchRejected, (state, { meta }) =>
        meta.condition ? state : { ...state, status: 'failed' as const },
      )
      .addMatcher(uploadedFiles.matchFulfilled, (state, { payload }) => ({
        ...state,
        uploadedFilesRecord: payload.uploadedFiles,
      }))
  },
})

export const selectMyPlan = (state: { readonly myplan: MyPlanState }) => state.myplan
