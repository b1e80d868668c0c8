import { scope } from '../kernel/declaration/scope.ts'
import { OneOf } from '../kernel/declaration/types.ts'
import { docsFiles } from './docs.ts'

/** `:file` becomes a part of the page that shows the API description, or 404. */
export const inDocs = scope({
  name: 'inDocs',
  path: { file: OneOf(docsFiles, { description: 'A file of the page' }) },
  load: async (_ctx, { file }) => ({ file }),
  subject: () => ({ on: 'instance' as const }),
})
