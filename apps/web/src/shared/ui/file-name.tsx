import { cutName, NAME_DISPLAY_LENGTH } from '@mendframe/contract'

interface FileNameProps {
  readonly name: string
  /** Characters that are shown of it; as many as panels show by default. */
  readonly length?: number
}

/** The name of a file, cut. It may run from right to left: what stands around it keeps its own order. */
export function FileName({ name, length = NAME_DISPLAY_LENGTH }: FileNameProps) {
  return <bdi>{cutName(name, length)}</bdi>
}
