/** Texts of licences, to begin a project with. */
import { type KnownLicense, knownLicenses } from '../../spaces/licenses/known.ts'

/** A licence with its key, the SPDX id in lower case. */
export interface LicenseTemplate extends KnownLicense {
  readonly key: string
}

/** The licence with this key, in any case of letters; undefined for none. */
export function licenseTemplate(key: string): LicenseTemplate | undefined {
  const license = knownLicenses().get(key.toLowerCase())
  return license && { ...license, key: key.toLowerCase() }
}

/** Every licence, by key. */
export const licenseTemplates = (): LicenseTemplate[] =>
  [...knownLicenses()].map(([key, license]) => ({ ...license, key })).sort((a, b) => (a.key < b.key ? -1 : 1))

/** What is filled into the text of a licence; what is not given stays a placeholder. */
export interface Filling {
  readonly project?: string | undefined
  readonly fullname?: string | undefined
  readonly year: number
}

/** How the texts write their blanks, in brackets of whatever kind. */
const blanks = {
  project: /[<{[](?:project|description|one line .+ what it does\.)[>}\]]/gi,
  fullname: /[<{[](?:fullname|name of (?:author|copyright (?:owner|holder)))[>}\]]/gi,
  year: /[<{[](?:year|yyyy)[>}\]]/gi,
} as const

/** The licence with its blanks filled. Pure. */
export function filled(license: LicenseTemplate, filling: Filling): LicenseTemplate {
  const body = Object.entries(blanks).reduce((text, [name, blank]) => {
    const value = filling[name as keyof Filling]
    return value === undefined ? text : text.replace(blank, () => String(value))
  }, license.body)
  return { ...license, body }
}
