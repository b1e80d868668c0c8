/** What Conan is answered, in its own words. Pure. */
import type { PackageFileRow } from '../../queries.ts'
import { conanTime, type Recipe, written } from './names.ts'
import type { Revision } from './queries.ts'

/** A document as JSON: Conan takes nothing that is called otherwise. */
export const document = (content: object) => ({ body: JSON.stringify(content) })

/** Names of files with their MD5. */
export const snapshotOf = (files: readonly PackageFileRow[]) =>
  document(Object.fromEntries(files.map(({ file_name, file_md5 }) => [file_name, file_md5])))

/** Names of files with where they are. @param folder the address of the folder that they are in */
export const addressesOf = (names: readonly string[], folder: string) =>
  document(Object.fromEntries(names.map(name => [name, `${folder}/${name}`])))

/** Names of files, each with what is known of it: nothing. */
export const namesOf = (files: readonly PackageFileRow[]) =>
  document({ files: Object.fromEntries(files.map(({ file_name }) => [file_name, {}])) })

const revisionOf = ({ revision, time }: Revision) => ({ revision, time: conanTime(time) })

/** The newest revision. */
export const latestOf = (newest: Revision) => document(revisionOf(newest))

/** All revisions, the newest first. */
export const revisionsOf = (reference: string, revisions: readonly Revision[]) =>
  document({ reference, revisions: revisions.map(revisionOf) })

/** The recipes that a search has found. */
export const foundOf = (recipes: readonly Recipe[]) => document({ results: recipes.map(written) })
