/** Names of files, packages, versions and architectures (Debian Policy, chapters 5 and 3.2; deb(5)). Pure. */

/** What a file is, by the end of its name. */
export const fileKinds = ['deb', 'udeb', 'ddeb', 'dsc', 'changes', 'buildinfo', 'source'] as const
export type FileKind = (typeof fileKinds)[number]

/** Kinds that have a control file in an archive, and are installed. */
export const binaryKinds = ['deb', 'udeb', 'ddeb'] as const satisfies readonly FileKind[]
export type BinaryKind = (typeof binaryKinds)[number]

export const isBinary = (kind: FileKind): kind is BinaryKind => (binaryKinds as readonly FileKind[]).includes(kind)

const FILE_NAME = /^[A-Za-z0-9][A-Za-z0-9.+~_-]*$/
const SOURCE = /\.(tar\.(gz|bz2|xz|zst|lzma)|diff\.gz|tar\.(gz|bz2|xz|zst|lzma)\.asc)$/

/** What a file of this name is; undefined for a name that no file of a package has. */
export function kindOf(fileName: string): FileKind | undefined {
  if (fileName.length > 255 || !FILE_NAME.test(fileName)) return undefined
  if (SOURCE.test(fileName)) return 'source'
  const end = fileName.slice(fileName.lastIndexOf('.') + 1)
  return fileKinds.find(kind => kind === end && kind !== 'source')
}

export const isPackageName = (text: string): boolean => text.length <= 200 && /^[a-z0-9][a-z0-9+.-]+$/.test(text)
export const isVersion = (text: string): boolean => text.length <= 150 && /^(\d{1,9}:)?\d[A-Za-z0-9.+~-]*$/.test(text)
export const isArchitecture = (text: string): boolean => text.length <= 60 && /^[a-z0-9][a-z0-9-]*$/.test(text)

/** Versions in names of files have no epoch. */
const withoutEpoch = (version: string) => version.replace(/^\d+:/, '')

/** The name that the file of a binary package has. */
export const binaryFileName = (name: string, version: string, architecture: string, kind: BinaryKind): string =>
  `${name}_${withoutEpoch(version)}_${architecture}.${kind}`

/** The name that the description of a source package has. */
export const dscFileName = (name: string, version: string): string => `${name}_${withoutEpoch(version)}.dsc`

/** The folder of a pool that a source package is in: its first letter, of libraries four. */
export const letterOf = (source: string): string => (/^lib./.test(source) ? source.slice(0, 4) : source.slice(0, 1))
