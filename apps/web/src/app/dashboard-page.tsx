import {
  freeRepairs,
  PROGRESS_POLL_MS,
  type Product,
  type UploadedFile,
  type User,
} from '@mendframe/contract'
import { useEffect, useRef } from 'react'
import { useDispatch, useSelector } from 'react-redux'
import { useRechargesQuery, useUploadedFilesQuery } from '../features/account/account-api.ts'
import { AccountActions } from '../features/account/dashboard/account-actions.tsx'
import { Dashboard } from '../features/account/dashboard/dashboard.tsx'
import { PersonalInfo } from '../features/account/dashboard/personal-info.tsx'
import { PlanPanel } from '../features/account/dashboard/plan-panel.tsx'
import { RecentFiles } from '../features/account/dashboard/recent-files.tsx'
import { selectMyPlan } from '../features/account/my-plan-slice.ts'
import { expiryLine } from '../features/account/plan-lines.ts'
import { useDeleteFileMutation, useResultLinksQuery } from '../features/account/result-api.ts'
import { reset, selectUserState } from '../features/account/user-slice.ts'
import { logout } from '../features/auth/auth-slice.ts'
import { usePurchasesQuery } from '../features/billing/billing-api.ts'
import { dashboardOffer } from '../features/billing/dashboard-offer.ts'
import { PurchaseHistory } from '../features/billing/purchase-history.tsx'
import { selectRecharge } from '../features/billing/recharge-slice.ts'
import { baseApi } from '../shared/api/base-api.ts'
import { notify } from '../shared/notify/notify.ts'
import { type Overlay, openOverlay } from '../shared/overlay/overlay.ts'
import { clearSession } from '../shared/storage/session.ts'

/** Free users see so many of their files. */
const FREE_FILES_SHOWN = 1
/** The upgrade is offered by itself from so many completed Free repairs on. */
const OFFER_FROM = 1

interface DashboardPageProps {
  readonly product: Product
  readonly user: User
}

/** The account page of a flavour, with its data. */
export function DashboardPage({ product, user }: DashboardPageProps) {
  const dispatch = useDispatch()
  const who = { email: user.email, product }
  const { data: counts } = useRechargesQuery(who)
  const recent = useUploadedFilesQuery(who)
  const bought = usePurchasesQuery(who)
  const { uploadedFiles: files } = useSelector(selectUserState(product))
  const { totalRecharges, uploadedFilesRecord } = useSelector(selectMyPlan(product))
  const { purchaseRecords, error } = useSelector(selectRecharge(product))
  const premium = user.current_plan === 'Premium'
  const used = counts?.usedRecharges ?? 0
  const result = useLatestResult(product, files)
  const freeOver = !premium && used >= freeRepairs(product)
  const offer = dashboardOffer(product, freeOver, result.links)
  const upgrade = () => openOverlay(offer)
  const askToDelete = useAskToDelete()
  useFreshFiles(uploadedFilesRecord)

  useUpgradeOffer(!premium && used >= OFFER_FROM && !result.loading, offer)

  return (
    <Dashboard
      product={product}
      user={user}
      plan={
        <>
          <PlanPanel
            product={product}
            plan={user.current_plan}
            used={used}
            total={totalRecharges}
            expiry={expiryLine(purchaseRecords, bought.isLoading, new Date())}
            onUpgrade={upgrade}
          />
          <RecentFiles
            title={product === 'video' ? 'Recent Video Repair' : 'Recent Photo Repair'}
            files={premium ? uploadedFilesRecord : uploadedFilesRecord.slice(0, FREE_FILES_SHOWN)}
            loading={recent.isLoading}
            onManual={(file) =>
              openOverlay({
                kind: 'manual-repair',
                timestamp: file.timestamp,
                fileName: file.originalfilename,
              })
            }
            onDelete={askToDelete}
          />
        </>
      }
      account={
        <>
          <PersonalInfo product={product} user={user} />
          <AccountActions
            user={user}
            onDeleted={() => {
              clearSession()
              dispatch(logout())
              dispatch(reset())
              window.location.assign(product === 'video' ? '/' : '/photo/')
            }}
          />
        </>
      }
      billing={
        <PurchaseHistory purchases={purchaseRecords} loading={bought.isLoading} error={error?.message} />
      }
    />
  )
}

/** Free users whose repair is used are offered the upgrade, once a visit. */
function useUpgradeOffer(due: boolean, offer: Overlay): void {
  const offered = useRef(false)
  useEffect(() => {
    if (!due || offered.current) return
    offered.current = true
    openOverlay(offer)
  }, [due, offer])
}

/** Looks again and again while a repair runs, so that its end shows by itself. */
function useFreshFiles(files: readonly UploadedFile[]): void {
  const dispatch = useDispatch()
  const running = files.some(({ repair }) => repair?.status === 'Running')
  useEffect(() => {
    if (!running) return
    const look = () => {
      if (!document.hidden) dispatch(baseApi.util.invalidateTags(['user']))
    }
    const timer = setInterval(look, PROGRESS_POLL_MS)
    document.addEventListener('visibilitychange', look)
    return () => {
      clearInterval(timer)
      document.removeEventListener('visibilitychange', look)
    }
  }, [running, dispatch])
}

/** The links of the newest result that still exists. */
function useLatestResult(product: Product, files: readonly UploadedFile[]) {
  const file = files.find(
    ({ status, file_status }) => status === 'Repair_Completed' && file_status === 'Available',
  )
  const { timestamp = '', renamefilename = '' } = file ?? {}
  const { data, isLoading } = useResultLinksQuery({ product, timestamp, renamefilename }, { skip: !file })
  return { links: data, loading: isLoading }
}

function useAskToDelete(): (file: UploadedFile) => void {
  const [remove] = useDeleteFileMutation()
  return (file) =>
    openOverlay({
      kind: 'confirm',
      title: 'Delete the files now',
      text: `Everything of ${file.originalfilename} is deleted from the service at once. This cannot be undone.`,
      confirm: 'Delete now',
      cancel: 'Keep them',
      danger: true,
      onConfirm: () => {
        void remove({ timestamp: file.timestamp }).then(({ error }) => {
          if (error) notify('error', error.message || 'An error occurred')
          else notify('success', 'The files of this repair are deleted.')
        })
      },
    })
}
