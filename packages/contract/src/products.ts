import { z } from 'zod'

/** The two flavours of the product. One account may hold a plan for each. */
export const PRODUCTS = ['video', 'photo'] as const
export const productSchema = z.enum(PRODUCTS)
export type Product = z.infer<typeof productSchema>
