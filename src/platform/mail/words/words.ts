/** Texts of mails in the language of their reader, with dates, times, numbers and lists as that language writes them. Pure. */

import type { Language } from '../../access/preferences.ts'
import type { Catalogue, Entry, Key, ValuesFor } from './catalogue.ts'
import { de } from './de.ts'
import { en } from './en.ts'
import { fr } from './fr.ts'

export const catalogues: Readonly<Record<Language, Catalogue>> = { en, de, fr }

/** What dates and numbers follow. Days of English mails are as elsewhere on the pages: 2 January 2026. */
const locales: Readonly<Record<Language, string>> = { en: 'en-GB', de: 'de', fr: 'fr' }

/** Who reads a mail, as far as its words follow from it. */
export interface Reader {
  readonly language: Language
  /** The name of their time zone in the IANA database. */
  readonly timeZone: string
}

/** The words for a reader. */
export interface Words extends Reader {
  /** A text of the catalogue. */
  say<K extends Key>(key: K, ...values: ValuesFor<K>): string
  /** A day, `2026-01-31` or the time when it begins. */
  day(day: string): string
  /** A day and time where the reader is. */
  time(at: Date): string
  /** A role by its access level. */
  role(level: number): string
  /** Names, as a sentence lists them. */
  list(names: readonly string[]): string
}

/** The text with its placeholders filled in, each once: a value may look like a placeholder. */
const filled = (text: string, valueNamed: (name: string, form: string) => string): string =>
  text.replaceAll(/\{(\w+)(?::(\w+))?\}/g, (_, name: string, form = 'bare') => valueNamed(name, form))

/** The words for a reader. */
export function wordsFor({ language, timeZone }: Reader): Words {
  const { texts, nouns } = catalogues[language]
  const locale = locales[language]
  const asNumber = new Intl.NumberFormat(locale)
  return {
    language,
    timeZone,
    say(key, ...[given]) {
      const values: Readonly<Record<string, string | number>> = given ?? {}
      const entry = texts[key]
      const text = typeof entry === 'string' ? entry : (entry[new Intl.PluralRules(locale).select(Number(values.count))] ?? entry.other)
      return filled(text, (name, form) => {
        const value = values[name]
        if (typeof value === 'number') return asNumber.format(value)
        const shown = name === 'what' ? nouns[value as keyof typeof nouns][form] : value
        if (shown === undefined) throw new Error(`the text ${key} of the language ${language} has nothing for {${name}:${form}}`)
        return shown
      })
    },
    // A day is the same in all zones.
    day: day => new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone: 'UTC' }).format(new Date(day.slice(0, 10))),
    time: at =>
      new Intl.DateTimeFormat(locale, {
        day: 'numeric',
        month: 'long',
        year: 'numeric',
        hour: '2-digit',
        minute: '2-digit',
        timeZone,
        timeZoneName: 'short',
      }).format(at),
    role: level => (catalogues[language].texts as Readonly<Record<string, Entry>>)[`role.${level}`]?.toString() ?? String(level),
    list: names => new Intl.ListFormat(locale, { type: 'conjunction' }).format(names),
  }
}

/** The words of the source, for logs. */
export const sourceWords: Words = wordsFor({ language: 'en', timeZone: 'UTC' })
