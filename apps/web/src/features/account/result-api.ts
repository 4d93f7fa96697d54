import { FILES, FLOW, type Product } from '@mendframe/contract'
import { baseApi, type CallReply, queryCall } from '../../shared/api/base-api.ts'
import { addressOf, resolveAddress } from '../../shared/api/call.ts'

/** A file of the dashboard. */
interface WhichFile {
  readonly product: Product
  readonly timestamp: string
  readonly renamefilename: string
}

const repairDownload = FLOW.video.repairDownload

/** The links and the report of a finished repair. */
export const resultApi = baseApi.injectEndpoints({
  endpoints: (build) => ({
    resultLinks: build.query<CallReply<typeof repairDownload>, WhichFile>({
      queryFn: async ({ product, timestamp, renamefilename }) => {
        const route = FLOW[product].repairDownload
        const reply = await queryCall(route, { query: { timestamp, fileName: renamefilename } })
        if ('error' in reply) {
          console.warn('no links for a file', reply.error.code)
          return reply
        }
        const base = addressOf(route, {})
        const whole = (address: string) => (address === '' ? '' : resolveAddress(address, base))
        const { data } = reply
        return {
          data: {
            ...data,
            previewdownloadUrl: whole(data.previewdownloadUrl),
            downloadUrl: whole(data.downloadUrl),
            photoDownloadUrl: whole(data.photoDownloadUrl),
            ...(data.playableUrl === undefined ? {} : { playableUrl: whole(data.playableUrl) }),
          },
        }
      },
      providesTags: ['result'],
    }),
    report: build.query<CallReply<typeof FILES.report>, { readonly timestamp: string }>({
      queryFn: ({ timestamp }) => queryCall(FILES.report, { query: { time: timestamp } }),
      providesTags: ['result'],
    }),
    deleteFile: build.mutation<CallReply<typeof FILES.remove>, { readonly timestamp: string }>({
      queryFn: (body) => queryCall(FILES.remove, { body }),
      // The links of a deleted file are not asked for again: the record says that it is gone.
      invalidatesTags: ['user'],
    }),
  }),
})

export const { useResultLinksQuery, useReportQuery, useDeleteFileMutation } = resultApi
