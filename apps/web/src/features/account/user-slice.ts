import { type Product, TEXTS, type UploadedFile, type User } from '@mendframe/contract'
import { createSlice, type PayloadAction } from '@reduxjs/toolkit'
import { type ByFlavour, changed, inEachFlavour } from '../../shared/lib/by-flavour.ts'
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

const initialState = inEachFlavour<UserState>({
  user: null,
  uploadedFiles: [],
  loading: false,
  error: null,
  firstUploadSuccess: false,
  sampleUploadSuccess: false,
})

/** The user's data as last fetched, and how far the uploads of this visit have come, in each flavour. */
export const userSlice = createSlice({
  name: 'user',
  initialState,
  reducers: {
    reset: () => initialState,
    firstUploadSucceeded: (state, { payload }: PayloadAction<Product>) =>
      changed<UserState>(state, payload, { firstUploadSuccess: true }),
    sampleUploadSucceeded: (state, { payload }: PayloadAction<Product>) =>
      changed<UserState>(state, payload, { sampleUploadSuccess: true }),
    uploadsCleared: (state, { payload }: PayloadAction<Product>) =>
      changed<UserState>(state, payload, { firstUploadSuccess: false, sampleUploadSuccess: false }),
  },
  extraReducers: (builder) => {
    const { userData } = accountApi.endpoints
    builder
      .addMatcher(userData.matchPending, (state, { meta }) =>
        changed<UserState>(state, meta.arg.originalArgs.product, { loading: true, error: null }),
      )
      .addMatcher(userData.matchFulfilled, (state, { meta, payload }) =>
        changed<UserState>(state, meta.arg.originalArgs.product, {
          loading: false,
          user: payload.user,
          uploadedFiles: payload.uploadedFiles,
        }),
      )
      .addMatcher(userData.matchRejected, (state, { meta }) =>
        meta.condition
          ? state
          : changed<UserState>(state, meta.arg.originalArgs.product, {
              loading: false,
              error: TEXTS.userFetchFailed,
            }),
      )
  },
})

export const { reset, firstUploadSucceeded, sampleUploadSucceeded, uploadsCleared } = userSlice.actions

interface WithUser {
  readonly user: ByFlavour<UserState>
}
export const selectUserState = (product: Product) => (state: WithUser) => state.user[product]
