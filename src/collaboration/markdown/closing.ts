/**
 * Texts that close issues: "Closes #3, #4 and group/project#5", in merge requests and commits. Which words do it is
 * the public behaviour of the platform. Pure.
 */
import { type Piece, type Reference, splitAtReferences } from './references.ts'

/** Something an issue is named by: a reference, or its address. */
export type Named = Reference | { readonly address: string }

/** What a text consists of, as far as this is concerned. */
export type Said = Piece | { readonly address: string }

const keyword =
  /(?:^|[^\p{L}\p{N}_])(?:clos(?:e[sd]?|ing)|fix(?:e[sd]|ing)?|resolv(?:e[sd]?|ing)|implement(?:s|ed|ing)?):? +(?:issues? +)?$/iu
const between = /^ *(?:,|,? and)? *(?:issues? +)?$/i
const issueAddress = /\/issues\/(?:incident\/)?\d+(?:[/?#].*)?$/

/** The issues that a text says it closes, in its order; repeated ones too. */
export function closedBy(said: readonly Said[]): Named[] {
  const found: Named[] = []
  let closing = false
  for (const piece of said) {
    if (typeof piece === 'string') closing = keyword.test(piece) || (closing && between.test(piece))
    else if (closing && ('address' in piece ? issueAddress.test(piece.address) : piece.kind === 'issue')) found.push(piece)
    else closing = false
  }
  return found
}

/** The issues that plain text, such as a commit's message, says it closes. */
export const closedByText = (text: string): Named[] =>
  closedBy(
    text
      .split(/(https?:\/\/[^\s<>"]+[^\s<>".,;:!?)])/)
      .flatMap((part, index): Said[] => (index % 2 === 1 ? [{ address: part }] : splitAtReferences(part))),
  )
