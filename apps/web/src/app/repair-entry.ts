/** What the repair tells the page around it. */
export interface RepairEntry {
  /** A file is under way: the repair shows itself. */
  readonly working: boolean
  /** The checks of a chosen file are running. */
  readonly checking: boolean
  /** Extensions that are taken, without dots. */
  readonly extensions: readonly string[]
  readonly onFiles: (files: readonly File[]) => void
}
