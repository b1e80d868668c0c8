/** Emoji by name. */
import { gemoji } from 'gemoji'

const byName = new Map(gemoji.flatMap(({ names, emoji }) => names.map(name => [name, emoji] as const)))

/** The character of an emoji; its name between colons where there is none. */
export const emojiOf = (name: string): string => byName.get(name) ?? `:${name}:`
