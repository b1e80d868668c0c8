/** A mail that came in, as far as anything follows from it. */

/** A file that was attached. */
export interface AttachedFile {
  readonly filename: string
  readonly mediaType: string
  readonly content: Uint8Array<ArrayBuffer>
}

/** A mail that was read. All of it is what its sender says: nothing here is proof of anything. */
export interface IncomingMessage {
  /** Without the angle brackets; undefined where there is none. */
  readonly messageId: string | undefined
  /** The address in `From`; undefined where there is none, or several. */
  readonly from: { readonly address: string; readonly name: string } | undefined
  /** All addresses that it may have been sent to. */
  readonly recipients: readonly string[]
  readonly subject: string
  /** What it says. */
  readonly text: string
  /** The same without what was quoted, and without the signature. */
  readonly unquoted: string
  readonly files: readonly AttachedFile[]
  /** Files beyond what is taken. */
  readonly filesLeftOut: number
  /** Why no person seems to have written it: it gets no answer, and nothing follows from it. */
  readonly automatic: string | undefined
}

/** Bytes that a mail may have. */
export const LARGEST_MAIL = 25 * 1024 * 1024

/** Files of a mail that are taken, and bytes of all of them. */
export const MOST_FILES = 20

/** Characters of a text that are kept. */
export const LONGEST_TEXT = 200_000
