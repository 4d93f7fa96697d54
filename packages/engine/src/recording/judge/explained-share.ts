import type { Region } from '../../bytes/regions.ts'

/** Share of the payload that may stay unexplained in a repair called complete. */
const UNEXPLAINED_SHARE = 0.005

/** True when so few bytes of the payload stay unexplained that nothing of note can hide in them. */
export function explainsPayload(unexplained: number, payload: readonly Region[]): boolean {
  return unexplained <= payload.reduce((sum, region) => sum + region.length, 0) * UNEXPLAINED_SHARE
}
