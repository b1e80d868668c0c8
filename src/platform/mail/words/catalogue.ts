/**
 * What a catalogue is: the texts of all mails by key, in one language. English is the source; a catalogue that lacks a key, has one that is unknown, or
 * whose text has other placeholders than the English one does not compile.
 *
 * - `{name}` is a placeholder. Its value is inserted as it is: braces in it are text.
 * - `{count}` is a number, written as the language writes numbers. A text that depends on it has a form for each plural category of the language.
 * - `{what}` is a noun of the catalogue; `{what:gen}` is its form `gen`, which the catalogue names itself (`nouns`).
 */
import type { englishTexts } from './en.ts'

/** A text, or its forms by the plural category of `{count}` (CLDR); `other` holds where a category has none. */
export type Entry = string | ({ readonly other: string } & { readonly [Category in Intl.LDMLPluralRule]?: string })

/** What mails name by a noun. */
export const nouns = ['issue', 'merge_request', 'epic', 'commit', 'snippet', 'pipeline', 'project', 'group'] as const
export type Noun = (typeof nouns)[number]

/** The forms of a noun by name; `bare` is the one of `{what}`. */
export type NounForms = { readonly bare: string } & Readonly<Record<string, string>>

export interface Catalogue {
  readonly nouns: Readonly<Record<Noun, NounForms>>
  readonly texts: Readonly<Record<Key, Entry>>
}

type English = typeof englishTexts
export type Key = keyof English

type NamesIn<Text extends string> = Text extends `${string}{${infer Name}}${infer Rest}`
  ? (Name extends `${infer Bare}:${string}` ? Bare : Name) | NamesIn<Rest>
  : never

/** The placeholders of a text. */
type NamesOf<E> = E extends string ? NamesIn<E> : 'count' | NamesIn<E[keyof E] & string>

type ValueOf<Name> = Name extends 'count' ? number : Name extends 'what' ? Noun : string

/** The values for the placeholders of a text. */
export type ValuesOf<K extends Key> = { readonly [Name in NamesOf<English[K]>]: ValueOf<Name> }

/** What is given besides the key: nothing for a text without placeholders. */
export type ValuesFor<K extends Key> = [NamesOf<English[K]>] extends [never] ? [] : [values: ValuesOf<K>]

type Names<T> = [NamesOf<T>]

/** `unknown` where a text has the placeholders of the English one; else it fits nothing. */
type WithSameNames<T, K extends Key> =
  Names<T> extends Names<English[K]>
    ? Names<English[K]> extends Names<T>
      ? unknown
      : { readonly lacks: Exclude<NamesOf<English[K]>, NamesOf<T>> }
    : { readonly unknown: Exclude<NamesOf<T>, NamesOf<English[K]>> }

type Checked<T> = { readonly [K in keyof T]: K extends Key ? WithSameNames<T[K], K> : never }

/** A catalogue of another language than English. */
export const translated = <const T extends Readonly<Record<Key, Entry>>>(catalogue: {
  readonly nouns: Catalogue['nouns']
  readonly texts: T & Checked<T>
}): Catalogue => catalogue
