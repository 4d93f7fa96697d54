/** What is handed to the engine. */
export interface HostileInput {
  readonly damaged: Uint8Array
  readonly sample?: Uint8Array
}

/** Bytes made to cost as much time or memory as can be. */
export interface Adversary {
  readonly name: string
  /** Input of about so many bytes. */
  make(bytes: number): HostileInput
}
