import { TEXTS, type UploadedFile, type User } from '@mendframe/contract'
import { createSlice } from '@reduxjs/toolkit'
import { accountApi } from './account-api.ts'

export interface UserState {
  readonly user: User | null
  readonly uploadedFiles: readonly UploadedFile[]
  readonly loading: boolean
  readonly error: string | null
  /** The damaged file of this visit has arrived: leaving the page would lose the work. */
  readonly firstUploadSuccess: boolean
  readonly sampleUploadSuccess: boolean
}

const initialState: UserState = {
  user: null,
  uploadedFiles: [],
  loading: false,
  error: null,
  firstUploadSuccess: false,
  sampleUploadSuccess: false,
}

/** The user's data as last fetched, and how far the uploads of this visit have come. */
export const userSlice = createSlice({
  name: 'user',
  initialState,
  reducers: {
    reset: () => initialState,
    firstUploadSucceeded: (state) => ({ ...state, firstUploadSuccess: true }),
    sampleUploadSucceeded: (state) => ({ ...state, sampleUploadSuccess: true }),
    uploadsCleared: (state) => ({ ...state, firstUploadSuccess: false, sampleUploadSuccess: false }),
  },
  extraReducers: (builder) => {
    builder
      .addMatcher(accountApi.endpoints.userData.matchPending, (state) => ({
        ...state,
        loading: true,
        error: null,
      }))
      .addMatcher(accountApi.endpoints.userData.matchFulfilled, (state, { payload }) => ({
        ...state,
        loading: false,
        user: payload.user,
        uploadedFiles: payload.uploadedFiles,
      }))
      .addMatcher(accountApi.endpoints.userData.matchRejected, (state, { meta }) =>
        meta.condition ? state : { ...state, loading: false, error: TEXTS.userFetchFailed },
      )
  },
})

export const { reset, firstUploadSucceeded, sampleUploadSucceeded, uploadsCleared } = userSlice.actions

interface WithUser {
  readonly user: UserState
}
export const selectUserState = (state: WithUser) => state.user
export const selectUser = (state: WithUser) => state.user.user
export const selectUploadedFiles = (state: WithUser) => state.user.uploadedFiles
export const selectFirstUploadSuccess = (state: WithUser) => state.user.firstUploadSuccess
