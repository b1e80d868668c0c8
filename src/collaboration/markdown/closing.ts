/**
 * Closing patterns: "Closes #3, #4 and group/project#5", in merge requests and commits. The keywords are those of the platform's public
 * behaviour. Pure.
 */
import { type Piece, type Reference, splitAtReferences } from './references.ts'

/** An issue named by a reference or a URL. */
export type Named = Reference | { readonly address: string }

/** A part of a text, split at references and URLs. */
export type TextPart = Piece | { readonly address: string }

const keyword =
  /(?:^|[^\p{L}\p{N}_])(?:clos(?:e[sd]?|ing)|fix(?:e[sd]|ing)?|resolv(?:e[sd]?|ing)|implement(?:s|ed|ing)?):? +(?:issues? +)?$/iu
const between = /^ ?(?:,|,? and)? *(?:issues? +)?$/i
const issueAddress = /\/issues\/(?:incident\/)?\d+(?:[/?#]|$)/

/** The issues that a text closes, in order, with duplicates. */
export function closedBy(parts: readonly TextPart[]): Named[] {
  const found: Named[] = []
  let closing = false
  for (const piece of parts) {
    if (typeof piece === 'string') closing = keyword.test(piece) || (closing && between.test(piece.replace(/^ +/, ' ')))
    else if (closing && ('address' in piece ? issueAddress.test(piece.address) : piece.kind === 'issue')) found.push(piece)
    else closing = false
  }
  return found
}

/** The issues that plain text, such as a commit message, closes. */
export const closedByText = (text: string): Named[] =>
  closedBy(
    text
      .split(/(https?:\/\/[^\s<>"]+[^\s<>".,;:!?)])/)
      .flatMap((part, index): TextPart[] => (index % 2 === 1 ? [{ address: part }] : splitAtReferences(part))),
  )

/** The keys of issues of a tracker outside, such as `LAMP-12`, that plain text names; `closed`: those that it closes. */
export function keysIn(text: string): { readonly named: readonly string[]; readonly closed: readonly string[] } {
  const pieces = splitAtReferences(text).map(piece =>
    typeof piece === 'object' && piece.kind === 'external_issue' && piece.name === piece.text
      ? { ...piece, kind: 'issue' as const }
      : typeof piece === 'object'
        ? piece.text
        : piece,
  )
  const keyOf = (piece: TextPart) => (typeof piece === 'object' && 'name' in piece ? [piece.name] : [])
  return { named: [...new Set(pieces.flatMap(keyOf))], closed: [...new Set(closedBy(pieces).flatMap(keyOf))] }
}
