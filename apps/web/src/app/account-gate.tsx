import type { Product, User } from '@mendframe/contract'
import type { ReactNode } from 'react'
import { useSelector } from 'react-redux'
import { selectUserState } from '../features/account/user-slice.ts'
import { Button } from '../shared/ui/button.tsx'
import { FullSpinner } from '../shared/ui/full-spinner.tsx'
import { useAccount } from './use-account.ts'

interface AccountGateProps {
  readonly product: Product
  readonly children: (user: User) => ReactNode
}

/** Shows its content once the user is loaded, a spinner before that, and what went wrong if it did. */
export function AccountGate({ product, children }: AccountGateProps) {
  const { user, loading, retry } = useAccount(product)
  const { error } = useSelector(selectUserState(product))
  if (loading || !user) return <FullSpinner label="Loading your account" />
  if (error) {
    return (
      <div className="page py-20">
        <h1 className="text-title">{error}</h1>
        <p className="mt-3 max-w-[60ch] text-ink-soft">
          The service did not answer as it should. Your files are not affected.
        </p>
        <Button className="mt-6" onClick={retry}>
          Try again
        </Button>
      </div>
    )
  }
  return children(user)
}
