/** What is handed to the engine. */
export interface HostileInput {
  readonly damaged: Uint8Array
  readonly sample?: Uint8Array
  /** Of the files' names, which may decide the format; `mp4` when absent. */
  readonly extension?: string
  /** What a photo's header says of its size, in millions of pixels. */
  readonly megapixels?: number
}

/** Bytes made to cost as much time or memory as can be. */
export interface Adversary {
  readonly name: string
  /** Input of about so many bytes. */
  make(bytes: number): HostileInput
}
