import { PRODUCTS } from '../products.ts'
import { ACCOUNT } from './account.ts'
import { FILES, PARTS } from './files.ts'
import { FLOW } from './repair-flow.ts'
import type { Route } from './route.ts'
import { SERVICE } from './service.ts'
import { SESSIONS, SIGN_IN } from './sign-in.ts'

/** Every JSON call of the contract. */
export const ALL_ROUTES: readonly Route[] = [
  ...Object.values(SERVICE),
  ...Object.values(SESSIONS),
  ...PRODUCTS.flatMap((product) => [...Object.values(SIGN_IN[product]), ...Object.values(FLOW[product])]),
  ...Object.values(ACCOUNT),
  ...Object.values(FILES),
  ...Object.values(PARTS),
]
