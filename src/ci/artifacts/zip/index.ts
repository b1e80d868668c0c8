/**
 * Zip archives of artifacts, read in place: from the object store by ranges, never unpacked. Nothing outside of this folder imports past this file.
 *
 * - `checkZip` reads the whole directory of an archive and checks that every file lies where it says; `UnfitZip` where not.
 * - `listFolder` lists a folder of it, `surveyFolder` says how much it holds. `findEntry` finds one file of it, `contentsOf` streams it, `bytesAt` reads a range of the archive.
 */
export { contentsOf, isReadable } from './contents.ts'
export { checkZip } from './directory.ts'
export { findEntry, MAX_KEPT } from './find.ts'
export { type ListedEntry, type ListedFolder, listFolder } from './list.ts'
export { bytesAt, objectSource, UnfitZip } from './source.ts'
export { surveyFolder } from './survey.ts'
