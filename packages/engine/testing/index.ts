export { contractSuite } from './contract-suite.ts'
export {
  allLengthsMax,
  CountingSource,
  FailingSource,
  LyingSource,
  lies,
  noise,
  randomFrom,
  ZeroTailSource,
} from './hostile-sources.ts'
