import type { ReactNode } from 'react'
import { Provider } from 'react-redux'
import { store } from './store.ts'

/** Gives a part of the page the one store. Parts arrive separately, so each brings its own provider. */
export function WithStore({ children }: { readonly children: ReactNode }) {
  return <Provider store={store}>{children}</Provider>
}
