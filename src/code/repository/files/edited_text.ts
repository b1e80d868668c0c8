/**
 * Texts between a file and a form. Browsers send every line end as CR LF, whatever the file had, and drop what they do not show; here the file
 * keeps its line ends, its byte order mark, and its last line with or without an end. Pure.
 */
import { isUtf8 } from 'node:buffer'
import { diffArrays } from 'diff'

const BYTE_ORDER_MARK = '\uFEFF'

/** The text of a file as a form shows it, with LF; undefined for bytes that are not a text in UTF-8 and would not survive. */
export function textOfFile(bytes: Buffer): string | undefined {
  if (!isUtf8(bytes) || bytes.includes(0)) return undefined
  return withLineFeeds(withoutMark(bytes.toString('utf8')))
}

/** The bytes of what was typed, in the manner of the file that it takes the place of; a new file has LF. */
export function bytesOfText(typed: string, before: Buffer | undefined): Buffer {
  const text = withLineFeeds(typed)
  if (before === undefined) return Buffer.from(text)
  const old = before.toString('utf8')
  const mark = old.startsWith(BYTE_ORDER_MARK) ? BYTE_ORDER_MARK : ''
  return Buffer.from(mark + withLineEndsOf(withoutMark(old), withoutMark(text)))
}

const withLineFeeds = (text: string): string => text.replace(/\r\n?/g, '\n')

const withoutMark = (text: string): string => (text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text)

/** Lines of a text, and the line end after each but the last. */
function linesOf(text: string): { readonly lines: readonly string[]; readonly ends: readonly string[] } {
  const parts = text.split(/(\r\n|\r|\n)/)
  return { lines: parts.filter((_, index) => index % 2 === 0), ends: parts.filter((_, index) => index % 2 === 1) }
}

/** Changes beyond which the lines of two texts are not matched: what is new then has the usual line end of the file. */
const MOST_CHANGES = 300

/** `text`, which has LF, with the line ends of `old`: those of the lines that stay, and for new ones the one that is most frequent. */
function withLineEndsOf(old: string, text: string): string {
  const { lines: oldLines, ends } = linesOf(old)
  const counts = new Map<string, number>()
  for (const end of ends) counts.set(end, (counts.get(end) ?? 0) + 1)
  const [usual = '\n'] = [...counts].sort(([, one], [, other]) => other - one)[0] ?? []
  if (counts.size <= 1) return usual === '\n' ? text : text.replaceAll('\n', usual)
  const lines = text.split('\n')
  const changes = diffArrays([...oldLines], lines, { maxEditLength: MOST_CHANGES })
  if (!changes) return text.replaceAll('\n', usual)
  const newEnds: string[] = []
  let at = 0
  for (const { added, removed, count } of changes) {
    if (added) newEnds.push(...Array.from({ length: count }, () => usual))
    else {
      if (!removed) newEnds.push(...Array.from({ length: count }, (_, index) => ends[at + index] ?? usual))
      at += count
    }
  }
  return lines.map((line, index) => (index === lines.length - 1 ? line : line + newEnds[index])).join('')
}
