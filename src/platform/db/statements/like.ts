/** A text as a LIKE pattern that matches it anywhere; the wildcards in it stand for themselves. */
export const containing = (text: string): string => `%${text.replace(/[\\%_]/g, '\\$&')}%`

/** The pattern of `like` for texts that begin with this one, whatever letters it has. */
export const beginningWith = (text: string): string => containing(text).slice(1)
