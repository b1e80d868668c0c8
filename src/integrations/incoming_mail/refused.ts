/** A mail of which nothing comes, and its sender gets to know why. */
import { sourceWords, type Words } from '../../platform/mail/words/words.ts'

/** Why nothing comes of it, and what may be done. */
export interface RefusedBecause {
  readonly says: string
  readonly advice?: string
}

export class MailRefused extends Error {
  override name = 'MailRefused'
  readonly because: (words: Words) => RefusedBecause

  /** @param because in the words of who reads it */
  constructor(because: (words: Words) => RefusedBecause) {
    super(because(sourceWords).says)
    this.because = because
  }
}
