/** The known licences: those of choosealicense.com (npm `choosealicense-list`). */
import { createRequire } from 'node:module'
import Type from 'typebox'
import { Nullable, text } from '../../platform/kernel/declaration/types.ts'

/** A licence in the form of the package; only the fields that are used here. */
export interface KnownLicense {
  readonly title: string
  readonly id: string
  readonly nickname: string | null
  readonly featured: boolean
  readonly description: string
  readonly conditions: readonly string[]
  readonly permissions: readonly string[]
  readonly limitations: readonly string[]
  readonly urls: { readonly opensource: string }
  /** The text, with `[year]` and `[fullname]` as placeholders. */
  readonly body: string
}

let byKey: ReadonlyMap<string, KnownLicense> | undefined

/** Every known licence by its key, the SPDX id in lower case. Loaded on first use: it is half a megabyte. */
export function knownLicenses(): ReadonlyMap<string, KnownLicense> {
  if (!byKey) {
    const all = createRequire(import.meta.url)('choosealicense-list/licenses.json') as Record<string, KnownLicense>
    byKey = new Map(Object.values(all).map(license => [license.id.toLowerCase(), license]))
  }
  return byKey
}

/** The JSON of a project's licence (document 3 "Project"). */
export const License = Type.Object({
  key: text('Key of the licence'),
  name: text('Name of the licence'),
  nickname: Nullable(text('Short name; null where there is none')),
  html_url: Nullable(text('Address of a page about it; null where none is known')),
  source_url: Nullable(text('Address of the source; null where unknown')),
})

/** The key of every unknown licence. */
export const OTHER_LICENSE = 'other'

/** The JSON of a licence by its key; `other` stands for every unknown one. */
export function presentLicense(key: string) {
  const license = knownLicenses().get(key)
  if (!license) return { key: OTHER_LICENSE, name: 'Other', nickname: null, html_url: null, source_url: null }
  return {
    key,
    name: license.title,
    nickname: license.nickname,
    html_url: `http://choosealicense.com/licenses/${key}/`,
    source_url: license.urls.opensource,
  }
}
