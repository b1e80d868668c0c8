/** Texts of people, as they may stand in a line of a mail. */

/** Characters of a name or title that a line shows. */
const LONGEST = 200

/** What ends a line, what has no shape, and what turns the direction of the rest: a name must not end a header or disguise what follows. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu

/** A text without what ends a line: names and titles in it must not begin a paragraph that the instance seems to write. */
export const unbroken = (text: string): string => text.replace(UNSEEN, ' ')

/** A text in one line, without characters that change how what is beside them looks, and cut where it is long. */
export function oneLine(text: string): string {
  const line = [...text.replace(UNSEEN, ' ').replace(/\s+/g, ' ').trim()]
  return line.length > LONGEST ? `${line.slice(0, LONGEST).join('')}…` : line.join('')
}
