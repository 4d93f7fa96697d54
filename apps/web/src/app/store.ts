import { combineReducers, configureStore } from '@reduxjs/toolkit'
import { accountApi } from '../features/account/account-api.ts'
import { myPlanSlice } from '../features/account/my-plan-slice.ts'
import { userSlice } from '../features/account/user-slice.ts'
import { authSlice } from '../features/auth/auth-slice.ts'
import { rechargeSlice } from '../features/billing/recharge-slice.ts'
import { baseApi } from '../shared/api/base-api.ts'

/** The page's store. It arrives with the first part that needs it, never with the landing pages. */
export const store = configureStore({
  reducer: combineReducers({
    auth: authSlice.reducer,
    user: userSlice.reducer,
    myplan: myPlanSlice.reducer,
    recharge: rechargeSlice.reducer,
    [baseApi.reducerPath]: baseApi.reducer,
  }),
  middleware: (defaults) => defaults().concat(accountApi.middleware),
})

export type Store = typeof store
