/** How the encoder's packets become samples of the track. */
export interface Splicer {
  /** A sample of the track from a packet. */
  sample(packet: Buffer, configuration: Buffer): Buffer
  /**
   * The same sample as the last of a sequence, behind which a key picture begins anew; as it is where codecs need no word for
   * that.
   */
  ended?(sample: Buffer): Buffer
  /** The track's configuration with the encoder's added, when it has to change. */
  extend?(configuration: Buffer): Buffer
  /** The box of the sample entry that holds it. */
  readonly box?: string
}
