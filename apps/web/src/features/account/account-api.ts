import { ACCOUNT, type Product } from '@mendframe/contract'
import { baseApi, type CallReply, queryCall } from '../../shared/api/base-api.ts'

/** Whose account is read, in which flavour. */
export interface Who {
  readonly email: string
  readonly product: Product
}

/** The photo flag is sent for the photo flavour only, as specified. */
const asQuery = ({ email, product }: Who) => (product === 'photo' ? { email, product } : { email })

/** The account reads and the change of country. */
export const accountApi = baseApi.injectEndpoints({
  endpoints: (build) => ({
    userData: build.query<CallReply<typeof ACCOUNT.user>, Who>({
      queryFn: (who) => queryCall(ACCOUNT.user, { query: asQuery(who) }),
      providesTags: ['user'],
    }),
    recharges: build.query<CallReply<typeof ACCOUNT.productRecharge>, Who>({
      queryFn: (who) => queryCall(ACCOUNT.productRecharge, { query: asQuery(who) }),
      providesTags: ['user', 'purchases'],
    }),
    uploadedFiles: build.query<CallReply<typeof ACCOUNT.uploadedFiles>, Who>({
      queryFn: (who) => queryCall(ACCOUNT.uploadedFiles, { query: asQuery(who) }),
      providesTags: ['user'],
    }),
    saveCountry: build.mutation<
      CallReply<typeof ACCOUNT.update>,
      { readonly country: string; readonly product: Product }
    >({
      queryFn: (body) => queryCall(ACCOUNT.update, { body }),
      invalidatesTags: ['user'],
    }),
  }),
})

export const { useUserDataQuery, useRechargesQuery, useUploadedFilesQuery, useSaveCountryMutation } =
  accountApi
