/** The types and states of packages, and the limits of their files. */
import { planLimits } from '../../ci/plan_limits/queries.ts'
import type { Db } from '../../platform/db/connection.ts'

/** The package managers that a package may be for (packages API at 14.0, and those of later releases). */
export const packageTypes = [
  'maven',
  'npm',
  'conan',
  'nuget',
  'pypi',
  'composer',
  'generic',
  'golang',
  'debian',
  'rubygems',
  'helm',
  'terraform_module',
] as const
export type PackageType = (typeof packageTypes)[number]

/** `hidden` packages and those that are `processing` are in no list unless it asks for them. */
export const packageStatuses = ['default', 'hidden', 'processing', 'error'] as const
export type PackageStatus = (typeof packageStatuses)[number]

/** The states of packages that lists have by default, and that can be shown. */
export const displayable = ['default', 'error'] as const satisfies readonly PackageStatus[]

/** The names of the limits of files, by the type of the package. */
const limitNames = {
  conan: 'conan_max_file_size',
  generic: 'generic_packages_max_file_size',
  maven: 'maven_max_file_size',
  npm: 'npm_max_file_size',
  nuget: 'nuget_max_file_size',
  pypi: 'pypi_max_file_size',
} as const

/** The limits of files that no setting has, in bytes. */
const fixedLimits = {
  helm: 5 * 1024 * 1024,
  rubygems: 3 * 1024 * 1024 * 1024,
  debian: 3 * 1024 * 1024 * 1024,
} as const

/** The types of packages that are published as files. */
export type ReceivedType = keyof typeof limitNames | keyof typeof fixedLimits

/** The types of packages that can be published: those of Composer are made of what is in the repository. */
export type PublishedType = ReceivedType | 'composer'

export const publishedTypes = [...Object.keys(limitNames), ...Object.keys(fixedLimits), 'composer'] as readonly string[] as readonly [
  PublishedType,
  ...PublishedType[],
]

/** Bytes that a file of a package of this type may have; undefined for any number. */
export async function fileLimitOf(db: Db, type: ReceivedType): Promise<number | undefined> {
  if (type in fixedLimits) return fixedLimits[type as keyof typeof fixedLimits]
  const limit = (await planLimits(db))[limitNames[type as keyof typeof limitNames]]
  return limit === 0 ? undefined : limit
}
