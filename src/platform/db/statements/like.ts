/** A text as a LIKE pattern that matches it anywhere; the wildcards in it stand for themselves. */
export const containing = (text: string): string => `%${text.replace(/[\\%_]/g, '\\$&')}%`
