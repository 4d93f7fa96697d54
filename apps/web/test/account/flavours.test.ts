import type { Purchase } from '@mendframe/contract'
import { configureStore } from '@reduxjs/toolkit'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { accountApi } from '../../src/features/account/account-api.ts'
import { myPlanSlice, selectMyPlan } from '../../src/features/account/my-plan-slice.ts'
import {
  firstUploadSucceeded,
  selectUserState,
  uploadsCleared,
  userSlice,
} from '../../src/features/account/user-slice.ts'
import { authSlice, login, logout } from '../../src/features/auth/auth-slice.ts'
import { billingApi } from '../../src/features/billing/billing-api.ts'
import { dashboardOffer } from '../../src/features/billing/dashboard-offer.ts'
import { rechargeSlice, selectRecharge } from '../../src/features/billing/recharge-slice.ts'
import { baseApi } from '../../src/shared/api/base-api.ts'
import { uploadedFile } from '../uploaded-file.ts'

const EMAIL = 'mira@example.com'
const user = (current_plan: string) => ({
  name: '',
  email: EMAIL,
  current_plan,
  country: '',
  created_at: '2026-11-20T00:00:00Z',
  email_verified: true,
})
const sold: Purchase = {
  id: '1',
  invoiceId: 'i',
  name: 'Mira',
  email: EMAIL,
  createdOn: '1st November 2026',
  count: 10,
  subscription: 'Monthly',
  product: 'video',
  expiresOn: '2026-12-01T00:00:00Z',
  state: 'Active',
}

const makeStore = () =>
  configureStore({
    reducer: {
      auth: authSlice.reducer,
      user: userSlice.reducer,
      myplan: myPlanSlice.reducer,
      recharge: rechargeSlice.reducer,
      api: baseApi.reducer,
    },
    middleware: (defaults) => defaults().concat(baseApi.middleware),
  })

/** A service where the video plan is Premium and the photo plan Free; `refuse` answers everything so instead. */
function answer(refuse?: Response) {
  vi.stubGlobal('fetch', async (address: string) => {
    if (refuse) return refuse.clone()
    const { pathname, searchParams } = new URL(address, 'http://localhost')
    const photo = searchParams.get('product') === 'photo'
    const replies: Record<string, unknown> = {
      '/api/user': {
        success: true,
        user: user(photo ? 'Free' : 'Premium'),
        uploadedFiles: photo ? [] : [uploadedFile({})],
      },
      '/api/product_recharge': { success: true, totalRecharges: photo ? 0 : 10, usedRecharges: 0 },
      '/api/uploaded_files': { success: true, uploadedFiles: photo ? [] : [uploadedFile({})] },
      '/api/purchases': photo ? [] : [sold],
    }
    return Response.json(replies[pathname])
  })
}

beforeEach(() => {
  vi.stubGlobal('localStorage', { getItem: () => 'token' })
  vi.stubGlobal('window', { location: { href: 'http://localhost/' } })
})
afterEach(() => vi.unstubAllGlobals())

it('the plan, the files and the purchases of one flavour are never the other`s', async () => {
  answer()
  const store = makeStore()
  for (const product of ['video', 'photo'] as const) {
    const who = { email: EMAIL, product }
    await store.dispatch(accountApi.endpoints.userData.initiate(who))
    await store.dispatch(accountApi.endpoints.recharges.initiate(who))
    await store.dispatch(accountApi.endpoints.uploadedFiles.initiate(who))
    await store.dispatch(billingApi.endpoints.purchases.initiate(who))
  }
  const state = store.getState()
  expect(selectUserState('video')(state).user?.current_plan).toBe('Premium')
  expect(selectUserState('photo')(state).user?.current_plan).toBe('Free')
  expect(selectUserState('video')(state).uploadedFiles).toHaveLength(1)
  expect(selectUserState('photo')(state).uploadedFiles).toEqual([])
  expect(selectMyPlan('video')(state)).toMatchObject({ totalRecharges: 10, status: 'succeeded' })
  expect(selectMyPlan('photo')(state)).toMatchObject({ totalRecharges: 0, uploadedFilesRecord: [] })
  expect(selectRecharge('video')(state).purchaseRecords).toEqual([sold])
  expect(selectRecharge('photo')(state).purchaseRecords).toEqual([])
})

it('an upload of one flavour is no work that leaving the other would lose', () => {
  const store = makeStore()
  store.dispatch(firstUploadSucceeded('photo'))
  expect(selectUserState('photo')(store.getState()).firstUploadSuccess).toBe(true)
  expect(selectUserState('video')(store.getState()).firstUploadSuccess).toBe(false)
  store.dispatch(uploadsCleared('photo'))
  expect(selectUserState('photo')(store.getState()).firstUploadSuccess).toBe(false)
})

it('logging in is told of a flavour, logging out of both, which share the session', () => {
  const store = makeStore()
  store.dispatch(login({ product: 'photo', user: user('Free') }))
  expect(store.getState().auth.video.user).toBeNull()
  store.dispatch(login({ product: 'video', user: user('Premium') }))
  store.dispatch(logout())
  expect(store.getState().auth).toEqual({ video: { user: null }, photo: { user: null } })
})

it('a failure to read the purchases is stored as its body; no records at all are none', async () => {
  const body = { success: false, message: 'Out of order.', code: 'server.error' }
  const store = makeStore()
  const who = { email: EMAIL, product: 'video' } as const
  answer(Response.json(body, { status: 500 }))
  await store.dispatch(billingApi.endpoints.purchases.initiate(who))
  expect(selectRecharge('video')(store.getState()).error).toEqual(body)
  answer(Response.json({ success: false, message: '', code: 'x' }, { status: 404 }))
  await store.dispatch(billingApi.endpoints.purchases.initiate(who, { forceRefetch: true }))
  expect(selectRecharge('video')(store.getState())).toMatchObject({ error: null, purchaseRecords: [] })
})

it('the dashboard`s pricing dialog comes with the file at hand once the free repairs are used', () => {
  const links = { full: true, downloadUrl: 'full', previewdownloadUrl: 'preview' }
  expect(dashboardOffer('video', false, links)).toEqual({
    kind: 'pricing',
    product: 'video',
    variant: 'upgrade',
  })
  expect(dashboardOffer('video', true, undefined)).toEqual({
    kind: 'pricing',
    product: 'video',
    variant: 'limit',
  })
  expect(dashboardOffer('video', true, links)).toMatchObject({
    variant: 'limit',
    downloadUrl: 'full',
    downloadLabel: 'Download Repaired Video',
  })
  expect(dashboardOffer('video', true, { ...links, full: false })).toMatchObject({
    variant: 'exceeded',
    downloadUrl: 'preview',
    downloadLabel: 'Download Preview',
  })
})
