/**
 * What stands at the ends of texts. A pattern that looks for it (`/=+$/`) tries each place of the text where it could begin, and goes on to the
 * place where it does not fit: it takes as many steps as the square of the length. These look from the end.
 */

/**
 * The text without the characters at its end that the pattern fits.
 * @param character fits one character, such as `/[-.]/`
 */
export function withoutEnding(text: string, character: RegExp): string {
  let end = text.length
  while (end > 0 && character.test(text[end - 1] as string)) end -= 1
  return text.slice(0, end)
}

/** The text without the suffixes at its end, in any order and number. */
export function withoutSuffixes(text: string, suffixes: readonly string[]): string {
  let end = text.length
  for (;;) {
    const found = suffixes.find(suffix => text.endsWith(suffix, end))
    if (found === undefined) return text.slice(0, end)
    end -= found.length
  }
}
