import { ACCOUNT, type Product, type Purchase } from '@mendframe/contract'
import { baseApi, type CallReply, queryCall } from '../../shared/api/base-api.ts'

/** Purchases and the packs on sale. */
export const billingApi = baseApi.injectEndpoints({
  endpoints: (build) => ({
    purchases: build.query<readonly Purchase[], { readonly email: string; readonly product: Product }>({
      queryFn: async ({ email, product }) => {
        const reply = await queryCall(ACCOUNT.purchases, {
          query: product === 'photo' ? { email, product } : { email },
        })
        // No records at all is an empty list, not a failure.
        return 'error' in reply && reply.error.status === 404 ? { data: [] } : reply
      },
      providesTags: ['purchases'],
    }),
    checkoutLinks: build.query<CallReply<typeof ACCOUNT.checkoutLinks>, { readonly product: Product }>({
      queryFn: (query) => queryCall(ACCOUNT.checkoutLinks, { query }),
      providesTags: ['purchases'],
    }),
  }),
})

export const { usePurchasesQuery, useCheckoutLinksQuery } = billingApi
