/** The languages that mails are written in. A new one is a line here, and a catalogue beside this file (docs/adding-a-language.md). */

export const languages = ['en', 'de', 'fr'] as const
export type Language = (typeof languages)[number]

/** Their names, each in itself. */
export const languageNames: Readonly<Record<Language, string>> = { en: 'English', de: 'Deutsch', fr: 'Français' }
