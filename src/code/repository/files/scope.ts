import { within } from '../../../platform/kernel/declaration/scope.ts'
import { text } from '../../../platform/kernel/declaration/types.ts'
import { inRepository } from '../scope.ts'

/** `:file_path` of the repository, whether the file exists or not: the revision is a parameter. */
export const inFilePath = within(inRepository, {
  name: 'inFilePath',
  path: { file_path: text('URL-encoded path of a file') },
  load: async (_ctx, { file_path }) => ({ path: file_path }),
})
