import type { Product, User } from '@mendframe/contract'
import { useEffect, useMemo } from 'react'
import { useDispatch, useSelector } from 'react-redux'
import { useUserDataQuery } from '../features/account/account-api.ts'
import { selectUserState } from '../features/account/user-slice.ts'
import { login, logout } from '../features/auth/auth-slice.ts'
import { readUser, storeUser } from '../shared/storage/session.ts'
import { useSignedIn } from '../shared/storage/use-signed-in.ts'

export interface Account {
  readonly user: User | null
  /** The first fetch is under way. */
  readonly loading: boolean
  readonly retry: () => void
}

/**
 * The signed-in user: the remembered one at once, the fetched one when it arrives.
 */
export function useAccount(product: Product): Account {
  const dispatch = useDispatch()
  const signedIn = useSignedIn(product)
  const stored = useMemo(() => (signedIn ? readUser(product) : null), [signedIn, product])
  const email = stored?.email ?? ''
  const { data, isLoading, refetch } = useUserDataQuery({ email, product }, { skip: email === '' })
  const { user: fetched } = useSelector(selectUserState(product))

  useEffect(() => {
    dispatch(stored ? login({ product, user: stored }) : logout())
  }, [dispatch, stored, product])

  useEffect(() => {
    if (data) storeUser(product, data.user)
  }, [data, product])

  return { user: stored ? (fetched ?? stored) : null, loading: isLoading, retry: () => void refetch() }
}
