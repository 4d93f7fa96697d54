import type { VideoObjectLayer } from './video-object-layer.ts'
import { VOP_B, type VopHeader } from './vop-header.ts'

/** Display times of planes in ticks of vop_time_increment, ISO/IEC 14496-2:2004 §6.3.5. */
export class DisplayTime {
  /** Seconds that the next reference plane counts from. */
  #base = 0
  /** Seconds that B planes count from. */
  #earlier = 0

  /** A group's time code replaces the time base. */
  group(seconds: number): void {
    this.#base = seconds
    this.#earlier = seconds
  }

  next(vop: VopHeader, layer: VideoObjectLayer): number {
    if (vop.type === VOP_B) return (this.#earlier + vop.seconds) * layer.timeResolution + vop.increment
    this.#earlier = this.#base
    this.#base += vop.seconds
    return this.#base * layer.timeResolution + vop.increment
  }
}
