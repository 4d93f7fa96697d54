import type { Product, User } from '@mendframe/contract'
import { createSlice, type PayloadAction } from '@reduxjs/toolkit'
import { changed, inEachFlavour } from '../../shared/lib/by-flavour.ts'

export interface AuthState {
  readonly user: User | null
}

const nobody: AuthState = { user: null }

/** Who is signed in, in each flavour: log-in sets the user, log-out clears both, which share the session. */
export const authSlice = createSlice({
  name: 'auth',
  initialState: inEachFlavour(nobody),
  reducers: {
    login: (state, { payload }: PayloadAction<{ readonly product: Product; readonly user: User }>) =>
      changed(state, payload.product, { user: payload.user }),
    logout: () => inEachFlavour(nobody),
  },
})

export const { login, logout } = authSlice.actions
