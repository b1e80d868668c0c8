/**
 * Characters that turn the direction of the text after them, and are not seen: code with them reads otherwise than it runs. Each is named where it stands, and
 * turns nothing beyond itself. What is copied has it as it was. Pure.
 */

/** The name of a character: `U+202E`. */
export const codeOf = (character: string): string => `U+${(character.codePointAt(0) as number).toString(16).toUpperCase().padStart(4, '0')}`

const TURNING = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g

/** A line of HTML with these characters named. */
export const shownTurns = (line: string): string =>
  line.replaceAll(TURNING, found => {
    const name = codeOf(found)
    return `<span class="turning" data-name="${name}" title="${name} turns the direction of text">${found}</span>`
  })
