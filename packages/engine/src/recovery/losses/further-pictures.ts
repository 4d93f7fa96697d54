import type { KnownNumbers, Loss } from './loss.ts'

/** Pictures by which the clock of the recording's main pictures may be off for those of another track. */
const OFF = 1

/** What a hole took of a further track of pictures. */
export interface FurtherLoss extends Pick<Loss, 'link' | 'estimated'> {
  readonly pictures: number
  readonly behindKey: number | undefined
}

/**
 * What a hole took of a track of pictures beside the main one, where `pictures` are missing by that one's clock. Its own
 * numbering counts them exactly where it goes on over the hole, or does so behind so many whole periods; where it does not, the
 * key picture that began its sequence was lost.
 */
export function furtherLoss(known: ReturnType<KnownNumbers>, pictures: number): FurtherLoss {
  const byClock = { pictures, link: 'told', behindKey: undefined, estimated: true } as const
  if (!known || known.numbering.anew || known.numbering.linked) return byClock
  const { counted } = known
  const { missing, period, sinceKey } = known.numbering
  if (missing >= 0 && Math.abs(counted - pictures) <= OFF)
    return { pictures: counted, link: 'told', behindKey: undefined, estimated: false }
  const periods = period > 0 ? Math.round((pictures - missing) / period) : 0
  if (periods > 0 && Math.abs(missing + periods * period - pictures) <= OFF) {
    const all = missing + periods * period
    return { pictures: all, link: all, behindKey: undefined, estimated: false }
  }
  if (sinceKey === undefined || pictures + OFF <= sinceKey) return byClock
  return { pictures, link: 'anew', behindKey: sinceKey, estimated: true }
}
