import type { User } from '@mendframe/contract'
import { createSlice, type PayloadAction } from '@reduxjs/toolkit'

export interface AuthState {
  readonly user: User | null
}

const initialState: AuthState = { user: null }

/** Who is signed in: log-in sets the user, log-out clears it. */
export const authSlice = createSlice({
  name: 'auth',
  initialState,
  reducers: {
    login: (_, action: PayloadAction<User>): AuthState => ({ user: action.payload }),
    logout: (): AuthState => initialState,
  },
})

export const { login, logout } = authSlice.actions
