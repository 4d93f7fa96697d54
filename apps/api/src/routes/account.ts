import {
  type Context,
  checkoutLinks,
  deleteAccount,
  exportData,
  readPurchases,
  readRecharges,
  readUploads,
  readUser,
  saveCountry,
} from '@mendframe/backend'
import { ACCOUNT } from '@mendframe/contract'
import type { App } from '../app.ts'
import { caller } from '../caller.ts'
import { describe } from '../describe.ts'

/** Reads and changes of one's own account. */
export function addAccount(app: App, context: Context): void {
  app.route({
    ...describe(ACCOUNT.user),
    handler: (request) => readUser(context, caller(request), request.query),
  })
  app.route({
    ...describe(ACCOUNT.productRecharge),
    handler: (request) => readRecharges(context, caller(request), request.query),
  })
  app.route({
    ...describe(ACCOUNT.uploadedFiles),
    handler: (request) => readUploads(context, caller(request), request.query),
  })
  app.route({
    ...describe(ACCOUNT.purchases),
    handler: (request) => readPurchases(context, caller(request), request.query),
  })
  app.route({
    ...describe(ACCOUNT.update),
    handler: (request) => saveCountry(context, caller(request), request.body),
  })
  app.route({
    ...describe(ACCOUNT.exportData),
    handler: (request) => exportData(context, caller(request)),
  })
  app.route({
    ...describe(ACCOUNT.remove),
    handler: (request) => deleteAccount(context, caller(request), request.body),
  })
  app.route({
    ...describe(ACCOUNT.checkoutLinks),
    handler: async (request) => {
      const packs = [...checkoutLinks(context, caller(request), request.query.product)]
      return { success: true as const, packs }
    },
  })
}
