import { DEFAULT_COEFFICIENTS } from './coefficient-probabilities.ts'

/** Probabilities of modes of luma and of chroma that frames begin with which build on others, RFC 6386 §16.2. */
const MODES = Uint8Array.of(112, 86, 140, 37)
const CHROMA_MODES = Uint8Array.of(162, 101, 204)
/**
 * Of a part of a vector: whether it is long, its sign, seven of short ones, ten bits of long ones; of rows, then of columns:
 * §17.2.
 */
// biome-ignore format: a table
const VECTORS = Uint8Array.of(
  162, 128, 225, 146, 172, 147, 214, 39, 156, 128, 129, 132, 75, 145, 178, 206, 239, 254, 254,
  164, 128, 204, 170, 119, 235, 140, 230, 228, 128, 130, 130, 74, 148, 180, 203, 236, 254, 254,
)

/** What frames leave to those that follow, §9.11 and §16 to §17. */
export class Probabilities {
  readonly coefficients: Uint8Array
  readonly modes: Uint8Array
  readonly chromaModes: Uint8Array
  readonly vectors: Uint8Array

  /** As `other` is, else as a key frame begins with. */
  constructor(other?: Probabilities) {
    this.coefficients = Uint8Array.from(other?.coefficients ?? DEFAULT_COEFFICIENTS)
    this.modes = Uint8Array.from(other?.modes ?? MODES)
    this.chromaModes = Uint8Array.from(other?.chromaModes ?? CHROMA_MODES)
    this.vectors = Uint8Array.from(other?.vectors ?? VECTORS)
  }
}
