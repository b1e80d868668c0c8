/** A mail of which nothing comes, and its sender gets to know why. */
export class MailRefused extends Error {
  override name = 'MailRefused'
  /** A sentence about what may be done. */
  readonly advice: string | undefined

  constructor(says: string, advice?: string) {
    super(says)
    this.advice = advice
  }
}
