/** Where files of Maven stand in a repository: `org/example/thing/1.0.0/thing-1.0.0.jar`. Pure. */

/** The list of versions, or of the builds of a snapshot, which clients write and read as any other file. */
const METADATA = 'maven-metadata.xml'

/** The digests that the server has of each file. */
export const checksums = ['sha1', 'md5'] as const
export type Checksum = (typeof checksums)[number]

/** A file of a repository by its path. */
export interface MavenFile {
  /** What stands before the name of the file. */
  readonly folder: string
  readonly file_name: string
  /** The digest of the file in place of the file. */
  readonly checksum: Checksum | undefined
}

/** A package by its name and version; without a version it is what is said of all of them. */
export interface MavenPackage {
  readonly name: string
  readonly version: string | null
}

const SEGMENT = /^(?!\.{1,2}$)[A-Za-z0-9_.+-]+$/

/** The file of a path; undefined for none. */
export function mavenFileAt(path: string): MavenFile | undefined {
  const segments = path.split('/')
  if (segments.length < 3 || !segments.every(segment => SEGMENT.test(segment))) return undefined
  const last = segments.at(-1) as string
  const checksum = checksums.find(name => last.endsWith(`.${name}`) && last.length > name.length + 1)
  const file_name = checksum === undefined ? last : last.slice(0, -checksum.length - 1)
  return { folder: segments.slice(0, -1).join('/'), file_name, checksum }
}

/** The package of a folder with a version at its end. */
const ofVersion = (folder: string): MavenPackage => {
  const slash = folder.lastIndexOf('/')
  return { name: folder.slice(0, slash), version: folder.slice(slash + 1) }
}

/** The package that a file belongs to as it comes: the metadata above all versions has a package of its own. */
export const packageOfFile = ({ folder, file_name }: MavenFile): MavenPackage =>
  file_name === METADATA && !folder.endsWith('-SNAPSHOT') ? { name: folder, version: null } : ofVersion(folder)

/** The packages that a folder may be of. */
export const packagesOfFolder = (folder: string): MavenPackage[] => [{ name: folder, version: null }, ofVersion(folder)]
