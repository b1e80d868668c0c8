/** Licence templates. */
import { type KnownLicense, knownLicenses } from '../../spaces/licenses/known.ts'

/** A licence with its key, the SPDX id in lower case. */
export interface LicenseTemplate extends KnownLicense {
  readonly key: string
}

/** The licence with this key, case-insensitive. */
export function licenseTemplate(key: string): LicenseTemplate | undefined {
  const license = knownLicenses().get(key.toLowerCase())
  return license && { ...license, key: key.toLowerCase() }
}

/** All licences, by key. */
export const licenseTemplates = (): LicenseTemplate[] =>
  [...knownLicenses()].map(([key, license]) => ({ ...license, key })).sort((a, b) => (a.key < b.key ? -1 : 1))

/** Values of the placeholders of a licence; missing ones stay placeholders. */
export interface Filling {
  readonly project?: string | undefined
  readonly fullname?: string | undefined
  readonly year: number
}

/** The spellings of placeholders in the texts, in different brackets. */
const blanks = {
  project: /[<{[](?:project|description|one line [^<>{}[\]\n]+ what it does\.)[>}\]]/gi,
  fullname: /[<{[](?:fullname|name of (?:author|copyright (?:owner|holder)))[>}\]]/gi,
  year: /[<{[](?:year|yyyy)[>}\]]/gi,
} as const

/** The licence with its placeholders filled. Pure. */
export function filled(license: LicenseTemplate, filling: Filling): LicenseTemplate {
  const body = Object.entries(blanks).reduce((text, [name, blank]) => {
    const value = filling[name as keyof Filling]
    return value === undefined ? text : text.replace(blank, () => String(value))
  }, license.body)
  return { ...license, body }
}
