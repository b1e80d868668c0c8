/** A file that was just published, as those who publish it may ask for. */
import Type from 'typebox'
import { entity } from '../../../../platform/kernel/answer/entity.ts'
import { presentPublishedFile, publishedFileFields } from '../../entity.ts'
import type { PackageFileRow } from '../../queries.ts'

/** A published file with the full path of its project. */
export interface PublishedRow {
  readonly file: PackageFileRow
  readonly projectPath: string
}

export const PublishedPackageFile = entity({
  name: 'PublishedPackageFile',
  schema: Type.Object(publishedFileFields),
  present: ({ file, projectPath }: PublishedRow, _loaded: undefined, facts) => presentPublishedFile(file, projectPath, facts),
})
