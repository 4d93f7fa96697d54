import type { ByteReader } from '../../../bytes/reader.ts'

/** Names of objects as their 16 bytes stand in a file, ASF Specification 01.20.05 §10. */
export const GUID = {
  header: '3026b2758e66cf11a6d900aa0062ce6c',
  data: '3626b2758e66cf11a6d900aa0062ce6c',
  simpleIndex: '90080033b1e5cf1189f400a0c90349cb',
  index: 'd329e2d6da35d111903400a0c90349be',
  mediaObjectIndex: 'f803b1fead12644c840f2a1d2f7ad48c',
  timecodeIndex: 'd03fb73c4a0c0348953dedf7b6228f0c',
  fileProperties: 'a1dcab8c47a9cf118ee400c00c205365',
  streamProperties: '9107dcb7b7a9cf118ee600c00c205365',
  headerExtension: 'b503bf5f2ea9cf118ee300c00c205365',
  codecList: '4052d1861d31d011a3a400a0c90348f6',
  bitrates: 'ce75f87b8d46d1118d82006097c9a2b2',
  extendedStreamProperties: 'cba5e61472c632438399a96952065b5a',
  contentEncryption: 'fbb3112223bdd211b4b700a0c955fc6e',
  extendedContentEncryption: '14e68a292226174cb935dae07ee9289c',
  advancedContentEncryption: '338505438169e6499b74ad12cb86d58c',
  audio: '409e69f84d5bcf11a8fd00805f5c442b',
  video: 'c0ef19bc4d5bcf11a8fd00805f5c442b',
} as const

const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'))

/** The name at `at`, as in `GUID`. */
export function guidAt(reader: ByteReader, at: number): string {
  let text = ''
  for (const byte of reader.bytes(at, 16)) text += HEX[byte]
  return text
}

export function guidBytes(guid: string): Uint8Array {
  return Uint8Array.from({ length: 16 }, (_, i) => Number.parseInt(guid.slice(i * 2, i * 2 + 2), 16))
}

/** Objects that stand behind the data. */
export const INDEXES: ReadonlySet<string> = new Set([
  GUID.simpleIndex,
  GUID.index,
  GUID.mediaObjectIndex,
  GUID.timecodeIndex,
])

export const ENCRYPTIONS: ReadonlySet<string> = new Set([
  GUID.contentEncryption,
  GUID.extendedContentEncryption,
  GUID.advancedContentEncryption,
])
