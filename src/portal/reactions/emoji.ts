/** The emoji that people can react with, found by their names. Pure. */
import { gemoji } from 'gemoji'

export interface Emoji {
  readonly character: string
  readonly name: string
  /** Its other names, what it shows, and words about it. */
  readonly words: readonly string[]
}

const all: readonly Emoji[] = gemoji.map(({ emoji, names, description, tags }) => ({
  character: emoji,
  // Thumbs have a sign as their first name; reactions have a word.
  name: names.find(name => /^[a-z]/.test(name)) ?? (names[0] as string),
  words: [...names, description.toLowerCase(), ...tags],
}))

/** How well an emoji answers to a word: 0 is by its name. Undefined: not at all. */
function distance({ name, words }: Emoji, word: string): number | undefined {
  if (name === word) return 0
  if (name.startsWith(word)) return 1
  if (words.some(other => other.startsWith(word))) return 2
  return words.some(other => other.includes(word)) ? 3 : undefined
}

/** The emoji whose names or words have a text, the closest first; without a text the first ones. */
export function emojiMatching(search: string, most: number): readonly Emoji[] {
  const word = search.trim().toLowerCase().replaceAll(':', '')
  if (word === '') return all.slice(0, most)
  return all
    .flatMap(emoji => {
      const far = distance(emoji, word) ?? distance(emoji, word.replaceAll(' ', '_'))
      return far === undefined ? [] : [{ emoji, far }]
    })
    .sort((a, b) => a.far - b.far)
    .slice(0, most)
    .map(({ emoji }) => emoji)
}
