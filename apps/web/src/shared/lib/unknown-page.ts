/** An address has no page. */
export class UnknownPage extends Error {
  override readonly name = 'UnknownPage'
}
